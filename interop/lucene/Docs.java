import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.AtomicReader;
import org.apache.lucene.index.AtomicReaderContext;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.StoredFieldVisitor;

/**
 * Documents in files: their count, and of each the count of its fields, and of each field its type,
 * its name and its value. Numbers are big-endian, a text is its count of UTF-16 units and these.
 */
final class Docs {
    /** The field that is indexed as well, so that a document can be deleted by it. */
    static final String ID = "id";

    static List<Document> read(File file) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(new FileInputStream(file), 1 << 16))) {
            int count = in.readInt();
            List<Document> documents = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                Document document = new Document();
                for (int n = in.readInt(); n > 0; n--) {
                    document.add(field(in));
                }
                documents.add(document);
            }
            return documents;
        }
    }

    private static Field field(DataInputStream in) throws IOException {
        int type = in.readUnsignedByte();
        String name = text(in);
        switch (type) {
            case 0: {
                String value = text(in);
                return name.equals(ID)
                        ? new StringField(name, value, Field.Store.YES)
                        : new StoredField(name, value);
            }
            case 1: {
                byte[] value = new byte[in.readInt()];
                in.readFully(value);
                return new StoredField(name, value);
            }
            case 2: return new StoredField(name, in.readInt());
            case 3: return new StoredField(name, in.readFloat());
            case 4: return new StoredField(name, in.readLong());
            case 5: return new StoredField(name, in.readDouble());
            default: throw new IOException("type " + type);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) {
            units[i] = in.readChar();
        }
        return new String(units);
    }

    /** Writes all documents of an index in the form that they are read from, deleted ones too. */
    static void dump(IndexReader index, File file) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file), 1 << 16))) {
            out.writeInt(index.maxDoc());
            for (AtomicReaderContext leaf : index.leaves()) {
                AtomicReader segment = leaf.reader();
                for (int i = 0; i < segment.maxDoc(); i++) {
                    Dump dump = new Dump();
                    segment.document(i, dump);
                    out.writeInt(dump.count);
                    dump.bytes.writeTo(out);
                }
            }
        }
    }

    /** What a document comes to. */
    private static final class Dump extends StoredFieldVisitor {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);
        int count;

        private void begin(int type, FieldInfo field) throws IOException {
            count++;
            out.writeByte(type);
            text(field.name);
        }

        private void text(String text) throws IOException {
            out.writeInt(text.length());
            out.writeChars(text);
        }

        @Override
        public Status needsField(FieldInfo field) {
            return Status.YES;
        }

        @Override
        public void stringField(FieldInfo field, String value) throws IOException {
            begin(0, field);
            text(value);
        }

        @Override
        public void binaryField(FieldInfo field, byte[] value) throws IOException {
            begin(1, field);
            out.writeInt(value.length);
            out.write(value);
        }

        @Override
        public void intField(FieldInfo field, int value) throws IOException {
            begin(2, field);
            out.writeInt(value);
        }

        @Override
        public void floatField(FieldInfo field, float value) throws IOException {
            begin(3, field);
            out.writeInt(Float.floatToRawIntBits(value));
        }

        @Override
        public void longField(FieldInfo field, long value) throws IOException {
            begin(4, field);
            out.writeLong(value);
        }

        @Override
        public void doubleField(FieldInfo field, double value) throws IOException {
            begin(5, field);
            out.writeLong(Double.doubleToRawLongBits(value));
        }
    }
}
