import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/** What Lucene 4 has of its own: maps and sets with a count of four bytes. */
final class Forms {
    static void writeMap(DataOutput out, Map<String, String> map) throws IOException {
        out.writeStringStringMap(map);
    }

    static Map<String, String> readMap(DataInput in) throws IOException {
        return in.readStringStringMap();
    }

    static void writeSet(DataOutput out, Set<String> set) throws IOException {
        out.writeStringSet(set);
    }

    static Set<String> readSet(DataInput in) throws IOException {
        return in.readStringSet();
    }

    static void writeIndexHeader(DataOutput out, String codec, int version, byte[] id, String suffix) {
        throw new IllegalStateException("not in Lucene 4");
    }

    static int checkIndexHeader(DataInput in, String codec, int min, int max, byte[] id, String suffix) {
        throw new IllegalStateException("not in Lucene 4");
    }
}
