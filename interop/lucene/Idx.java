import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/**
 * Makes indexes. A line of the standard input is one: the file of its documents, the folder to make,
 * "plain" or "compound", how many documents a segment has at most, every how manyth document is
 * deleted at the end (0 for none), and "keep" or "merge", by which all segments become one.
 */
final class Idx {
    public static void main(String[] args) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            make(Docs.read(new File(words[0])), new File(words[1]), words[2].equals("compound"),
                    Integer.parseInt(words[3]), Integer.parseInt(words[4]), words[5].equals("merge"));
        }
    }

    private static void make(List<Document> documents, File folder, boolean compound, int segment,
            int delete, boolean merge) throws IOException {
        try (Directory directory = FSDirectory.open(folder);
                IndexWriter writer = new IndexWriter(directory, config(compound, merge))) {
            int n = 0;
            for (Document document : documents) {
                writer.addDocument(document);
                if (++n % segment == 0) {
                    writer.commit();
                }
            }
            writer.commit();
            for (int i = 0; delete > 0 && i < documents.size(); i += delete) {
                writer.deleteDocuments(new Term(Docs.ID, documents.get(i).get(Docs.ID)));
            }
            if (merge) {
                writer.forceMerge(1);
            }
            writer.commit();
        }
    }

    /** One writing thread, and a segment ends where it is told to. */
    static IndexWriterConfig config(boolean compound, boolean merge) {
        // Nothing here is analyzed.
        Analyzer none = new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field, java.io.Reader reader) {
                throw new UnsupportedOperationException();
            }
        };
        IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, none);
        config.setUseCompoundFile(compound);
        config.setRAMBufferSizeMB(1024);
        if (merge) {
            LogDocMergePolicy policy = new LogDocMergePolicy();
            policy.setNoCFSRatio(compound ? 1.0 : 0.0);
            // None before it is asked for.
            policy.setMergeFactor(1000);
            config.setMergePolicy(policy);
        } else {
            config.setMergePolicy(NoMergePolicy.INSTANCE);
        }
        return config;
    }
}
