import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Reads indexes. A line of the standard input is one: its folder, and the file to dump its documents
 * to. Says of each whether CheckIndex finds it clean, and if not, all that it finds.
 */
final class Rd {
    public static void main(String[] args) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            try (Directory directory = FSDirectory.open(new File(words[0]))) {
                System.out.println(check(directory));
                try (DirectoryReader reader = DirectoryReader.open(directory)) {
                    Docs.dump(reader, new File(words[1]));
                }
            }
        }
    }

    private static String check(Directory directory) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        CheckIndex check = new CheckIndex(directory);
        check.setCrossCheckTermVectors(true);
        check.setInfoStream(new PrintStream(said, true, "UTF-8"), true);
        boolean clean = check.checkIndex().clean;
        String text = said.toString("UTF-8");
        if (clean && text.contains("No problems were detected with this index.")) {
            return "clean";
        }
        return text.replace('\n', '|');
    }
}
