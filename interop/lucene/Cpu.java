import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Tells what Lucene spends: the processor time of this whole process, its compiler and its garbage
 * collector with it. The arguments are the file of documents and a folder; a line of the standard
 * input is what to do and how often, and each is answered with the nanoseconds that all runs took.
 */
final class Cpu {
    public static void main(String[] args) throws IOException {
        List<Document> documents = Docs.read(new File(args[0]));
        File folder = new File(args[1]);
        OperatingSystemMXBean clock =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            int runs = Integer.parseInt(words[1]);
            long units = 0;
            long before = clock.getProcessCpuTime();
            for (int i = 0; i < runs; i++) {
                switch (words[0]) {
                    case "write": write(documents, folder); break;
                    case "document": units += documents(folder); break;
                    case "visit": units += visit(folder); break;
                    default: throw new IOException(line);
                }
            }
            long spent = clock.getProcessCpuTime() - before;
            System.out.println(spent + " " + units);
            System.out.flush();
        }
    }

    private static void write(List<Document> documents, File folder) throws IOException {
        File[] old = folder.listFiles();
        for (File file : old == null ? new File[0] : old) {
            if (!file.delete()) {
                throw new IOException("cannot delete " + file);
            }
        }
        try (Directory directory = FSDirectory.open(folder);
                IndexWriter writer = new IndexWriter(directory, Idx.config(false, false))) {
            for (Document document : documents) {
                writer.addDocument(document);
            }
            writer.commit();
        }
    }

    /** Every document as an object with its strings: the sum of their lengths. */
    private static long documents(File folder) throws IOException {
        long units = 0;
        try (Directory directory = FSDirectory.open(folder);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            for (int i = 0; i < reader.maxDoc(); i++) {
                for (IndexableField field : reader.document(i).getFields()) {
                    units += field.stringValue().length();
                }
            }
        }
        return units;
    }

    /** Every value through a visitor, which is the least that Lucene offers. */
    private static long visit(File folder) throws IOException {
        final long[] units = new long[1];
        StoredFieldVisitor visitor = new StoredFieldVisitor() {
            @Override
            public Status needsField(FieldInfo field) {
                return Status.YES;
            }

            @Override
            public void stringField(FieldInfo field, String value) {
                units[0] += value.length();
            }
        };
        try (Directory directory = FSDirectory.open(folder);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            for (int i = 0; i < reader.maxDoc(); i++) {
                reader.document(i, visitor);
            }
        }
        return units[0];
    }
}
