import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamDataOutput;
import org.apache.lucene.store.RAMDirectory;

/**
 * Answers questions about Lucene's primitives: records on the standard input, an answer to each on
 * the standard output. Numbers are big-endian, a text is its count of UTF-16 units and these; what
 * the operations and outcomes are is said in question.rs.
 */
final class Vec {
    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        for (int op = in.read(); op >= 0; op = in.read()) {
            byte[] answer = op < 32 ? write(op, in) : read(op - 32, in);
            out.writeInt(answer.length);
            out.write(answer);
        }
        out.flush();
    }

    /** The outcome as one byte, and what Lucene wrote. */
    private static byte[] write(int op, DataInputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutput out = new OutputStreamDataOutput(bytes);
        int outcome = 0;
        switch (op) {
            case 0: out.writeShort(in.readShort()); break;
            case 1: out.writeInt(in.readInt()); break;
            case 2: out.writeLong(in.readLong()); break;
            case 3: out.writeVInt(in.readInt()); break;
            case 4: {
                long value = in.readLong();
                try {
                    out.writeVLong(value);
                } catch (IllegalArgumentException | AssertionError refused) {
                    outcome = outcome(refused);
                }
                break;
            }
            case 5: out.writeZInt(in.readInt()); break;
            case 6: out.writeZLong(in.readLong()); break;
            case 7: out.writeString(text(in)); break;
            case 8: {
                Map<String, String> map = new LinkedHashMap<>();
                for (int n = in.readInt(); n > 0; n--) {
                    String key = text(in);
                    map.put(key, text(in));
                }
                Forms.writeMap(out, map);
                break;
            }
            case 9: {
                Set<String> set = new LinkedHashSet<>();
                for (int n = in.readInt(); n > 0; n--) {
                    set.add(text(in));
                }
                Forms.writeSet(out, set);
                break;
            }
            case 10: {
                String codec = text(in);
                int version = in.readInt();
                try {
                    CodecUtil.writeHeader(out, codec, version);
                } catch (IllegalArgumentException refused) {
                    outcome = outcome(refused);
                }
                break;
            }
            case 11: {
                String codec = text(in);
                int version = in.readInt();
                byte[] id = new byte[16];
                in.readFully(id);
                String suffix = text(in);
                try {
                    Forms.writeIndexHeader(out, codec, version, id, suffix);
                } catch (IllegalArgumentException refused) {
                    outcome = outcome(refused);
                }
                break;
            }
            case 12: {
                byte[] content = bytes(in);
                RAMDirectory directory = new RAMDirectory();
                try (IndexOutput file = directory.createOutput("f", IOContext.DEFAULT)) {
                    file.writeBytes(content, content.length);
                    CodecUtil.writeFooter(file);
                }
                try (IndexInput file = directory.openInput("f", IOContext.DEFAULT)) {
                    byte[] whole = new byte[(int) file.length()];
                    file.readBytes(whole, 0, whole.length);
                    bytes.write(whole, 0, whole.length);
                }
                break;
            }
            default: throw new IllegalStateException("operation " + op);
        }
        byte[] written = bytes.toByteArray();
        byte[] answer = new byte[1 + (outcome == 0 ? written.length : 0)];
        answer[0] = (byte) outcome;
        System.arraycopy(written, 0, answer, 1, answer.length - 1);
        return answer;
    }

    /** The outcome as one byte; for a good one and for a bad integer the position; the value. */
    private static byte[] read(int op, DataInputStream in) throws IOException {
        byte[] given = bytes(in);
        ByteArrayDataInput from = new ByteArrayDataInput(given);
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(value);
        String codec = op == 10 || op == 11 ? text(in) : "";
        int min = op == 10 || op == 11 ? in.readInt() : 0;
        int max = op == 10 || op == 11 ? in.readInt() : 0;
        byte[] id = new byte[16];
        if (op == 11) {
            in.readFully(id);
        }
        String suffix = op == 11 ? text(in) : "";
        int outcome = 0;
        try {
            switch (op) {
                case 0: out.writeShort(from.readShort()); break;
                case 1: out.writeInt(from.readInt()); break;
                case 2: out.writeLong(from.readLong()); break;
                case 3: out.writeInt(from.readVInt()); break;
                case 4: out.writeLong(from.readVLong()); break;
                case 5: out.writeInt(from.readZInt()); break;
                case 6: out.writeLong(from.readZLong()); break;
                case 7: put(out, from.readString()); break;
                case 8:
                    for (Map.Entry<String, String> e : new TreeMap<>(Forms.readMap(from)).entrySet()) {
                        put(out, e.getKey());
                        put(out, e.getValue());
                    }
                    break;
                case 9:
                    for (String text : new TreeSet<>(Forms.readSet(from))) {
                        put(out, text);
                    }
                    break;
                case 10: out.writeInt(CodecUtil.checkHeader(from, codec, min, max)); break;
                case 11: out.writeInt(Forms.checkIndexHeader(from, codec, min, max, id, suffix)); break;
                case 12: out.writeInt(checkFooter(given)); break;
                default: throw new IllegalStateException("operation " + op);
            }
        } catch (IOException | RuntimeException | AssertionError error) {
            outcome = outcome(error);
        } catch (OutOfMemoryError error) {
            // It allocates what a length declares, and would only then see that this is not there.
            outcome = 1;
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.write(outcome);
        if (outcome == 0 || outcome == 2) {
            new DataOutputStream(answer).writeInt(from.getPosition());
        }
        if (outcome == 0) {
            value.writeTo(answer);
        }
        return answer.toByteArray();
    }

    /** The checksum, when both ways to ask for it agree. */
    private static int checkFooter(byte[] given) throws IOException {
        RAMDirectory directory = new RAMDirectory();
        try (IndexOutput file = directory.createOutput("f", IOContext.DEFAULT)) {
            file.writeBytes(given, given.length);
        }
        try (ChecksumIndexInput file = directory.openChecksumInput("f", IOContext.DEFAULT)) {
            byte[] content = new byte[given.length - CodecUtil.footerLength()];
            file.readBytes(content, 0, content.length);
            long checksum = CodecUtil.checkFooter(file);
            try (IndexInput again = directory.openInput("f", IOContext.DEFAULT)) {
                if (CodecUtil.retrieveChecksum(again) != checksum
                        || CodecUtil.checksumEntireFile(again) != checksum) {
                    throw new IllegalStateException("two checksums");
                }
            }
            return (int) checksum;
        }
    }

    /** What an error comes to. */
    private static int outcome(Throwable error) {
        String message = String.valueOf(error.getMessage());
        if (error instanceof EOFException || error instanceof ArrayIndexOutOfBoundsException) {
            return 1;
        }
        if (message.startsWith("Invalid vInt") || message.startsWith("Invalid vLong")) {
            return 2;
        }
        if (error instanceof IllegalArgumentException || error instanceof AssertionError) {
            return 3;
        }
        if (error instanceof IndexFormatTooOldException) {
            return 5;
        }
        if (error instanceof IndexFormatTooNewException) {
            return 6;
        }
        if (error instanceof CorruptIndexException) {
            return 4;
        }
        if (error instanceof NegativeArraySizeException) {
            return 7;
        }
        throw new IllegalStateException(error);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    private static String text(DataInputStream in) throws IOException {
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) {
            units[i] = in.readChar();
        }
        return new String(units);
    }

    private static void put(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.length());
        out.writeChars(text);
    }
}
