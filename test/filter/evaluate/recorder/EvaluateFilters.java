import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterWrapper;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What HBase's filters say, cell by cell. A line of input is a filter's protobuf, `forward` or `reversed`, and rows of
 * cells (KeyValues in hex, joined by commas), all separated by blanks; the line of output is the transcript.
 */
public final class EvaluateFilters {
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      StringBuilder transcript = new StringBuilder();
      try {
        evaluate(line.split(" "), transcript);
      } catch (NullPointerException e) {
        transcript.append("null ");
      } catch (Throwable e) {
        transcript.append(e.getClass().getName()).append(' ');
      }
      System.out.println(transcript.toString().trim());
    }
  }

  static void evaluate(String[] words, StringBuilder transcript) throws Exception {
    Filter filter = ProtobufUtil.toFilter(FilterProtos.Filter.parseFrom(Bytes.fromHex(words[0])));
    boolean reversed = words[1].equals("reversed");
    filter.setReversed(reversed);
    transcript.append(filter.hasFilterRow() ? "whole " : "parts ");
    transcript.append(filter.isFamilyEssential(Bytes.toBytes("f")) ? "f" : "-");
    transcript.append(filter.isFamilyEssential(Bytes.toBytes("g")) ? "g " : "- ");
    FilterWrapper wrapper = new FilterWrapper(filter);
    for (int row = 2; row < words.length; row++) {
      List<Cell> cells = new ArrayList<>();
      for (String hex : words[row].split(",")) cells.add(new KeyValue(Bytes.fromHex(hex)));
      evaluateRow(filter, wrapper, reversed, cells, transcript);
      filter.reset();
      transcript.append(filter.filterAllRemaining() ? "end " : "; ");
      if (filter.filterAllRemaining()) return;
    }
  }

  static void evaluateRow(Filter filter, FilterWrapper wrapper, boolean reversed, List<Cell> cells,
      StringBuilder transcript) throws Exception {
    if (wrapper.filterRowKey(cells.get(0))) {
      transcript.append("key ");
      return;
    }
    List<Cell> included = new ArrayList<>();
    for (int i = 0; i < cells.size();) {
      if (filter.filterAllRemaining()) {
        transcript.append("done ");
        break;
      }
      Cell cell = cells.get(i);
      Filter.ReturnCode code = filter.filterCell(cell);
      transcript.append(code == null ? "null" : code.ordinal());
      if (code == null) throw new NullPointerException();
      boolean includes = code.name().startsWith("INCLUDE");
      if (includes) {
        Cell transformed = filter.transformCell(cell);
        transcript.append('=').append(Bytes.toHex(CellUtil.cloneValue(transformed)));
        included.add(cell);
      }
      i++;
      switch (code) {
        case NEXT_COL:
        case INCLUDE_AND_NEXT_COL:
          while (i < cells.size() && CellUtil.matchingColumn(cell, cells.get(i))) i++;
          break;
        case NEXT_ROW:
        case INCLUDE_AND_SEEK_NEXT_ROW:
          while (i < cells.size() && CellUtil.matchingFamily(cell, cells.get(i))) i++;
          break;
        case SEEK_NEXT_USING_HINT:
          Cell hint = filter.getNextCellHint(cell);
          transcript.append('>').append(hint == null ? "none" : keyOf(hint));
          if (hint == null || reversed) break;
          while (i < cells.size() && CellUtil.matchingFamily(cell, cells.get(i))
              && CellComparatorImpl.COMPARATOR.compare(cells.get(i), hint) < 0) i++;
          break;
        default:
      }
      transcript.append(' ');
    }
    int before = included.size();
    if (before == 0) return;
    if (filter.hasFilterRow()) {
      filter.filterRowCells(included);
      transcript.append("cells:").append(included.size()).append(' ');
    }
    if (!included.isEmpty()) transcript.append(filter.filterRow() ? "out " : "in ");
  }

  static String keyOf(Cell cell) {
    return Bytes.toHex(CellUtil.cloneRow(cell)) + "/" + Bytes.toHex(CellUtil.cloneFamily(cell)) + "/"
      + Bytes.toHex(CellUtil.cloneQualifier(cell)) + "/" + cell.getTimestamp() + "/" + (cell.getTypeByte() & 0xff);
  }
}
