import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Flink SQL over a table with the families i and n: inserts, scans, projections, aggregates, lookup joins. */
public final class FlinkRun {
  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Exception e) {
      if (Boolean.getBoolean("traces")) e.printStackTrace();
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  /** In a steady order. */
  private static String rows(TableEnvironment tables, String query) throws Exception {
    List<String> found = new ArrayList<>();
    try (CloseableIterator<Row> rows = tables.executeSql(query).collect()) {
      rows.forEachRemaining(row -> found.add(row.toString()));
    }
    Collections.sort(found);
    return found.toString();
  }

  private static String insert(TableEnvironment tables, String statement) throws Exception {
    tables.executeSql(statement).await();
    return "done";
  }

  private static void define(TableEnvironment tables, String port) {
    tables.executeSql("CREATE TABLE people (rowkey STRING, i ROW<name STRING, born DATE, paid DECIMAL(10, 2)>, "
        + "n ROW<visits BIGINT, score DOUBLE, seen TIMESTAMP(3)>, PRIMARY KEY (rowkey) NOT ENFORCED) WITH ("
        + "'connector' = 'hbase-2.2', 'table-name' = 'systems_flink', 'zookeeper.quorum' = '127.0.0.1:" + port + "', "
        + "'null-string-literal' = 'none', 'sink.buffer-flush.max-rows' = '100')");
    tables.executeSql("CREATE TABLE nowhere (rowkey STRING, i ROW<name STRING>) WITH ('connector' = 'hbase-2.2', "
        + "'table-name' = 'systems_none', 'zookeeper.quorum' = '127.0.0.1:" + port + "')");
    tables.executeSql("CREATE VIEW orders AS SELECT *, PROCTIME() AS asked FROM (VALUES ('p1', 3), ('p3', 5), ('p9', 7)) AS o(who, amount)");
  }

  private static void run(TableEnvironment tables) {
    step("insert", () -> insert(tables, "INSERT INTO people VALUES "
        + "('p1', ROW('Ada', DATE '1815-12-10', 10.25), ROW(9223372036854775807, 1.5, TIMESTAMP '2026-01-02 03:04:05.678')), "
        + "('p2', ROW('Grace', DATE '1906-12-09', 99999999.99), ROW(-1, -0.25, TIMESTAMP '1970-01-01 00:00:00')), "
        + "('p3', ROW('Karen', CAST(NULL AS DATE), 0.00), ROW(0, 0, CAST(NULL AS TIMESTAMP(3))))"));
    step("select", () -> rows(tables, "SELECT rowkey, i.name, i.born, i.paid, n.visits, n.score, n.seen FROM people"));
    step("projection", () -> rows(tables, "SELECT i.name FROM people"));
    step("condition", () -> rows(tables, "SELECT rowkey FROM people WHERE n.visits > 0 OR i.born IS NULL"));
    step("aggregate", () -> rows(tables, "SELECT COUNT(*), SUM(i.paid), MAX(n.score) FROM people"));
    step("1,000 rows", () -> insert(tables, "INSERT INTO people SELECT 'q' || CAST(a * 100 + b * 10 + c AS STRING), "
        + "ROW('made', CAST(NULL AS DATE), 1.00), ROW(CAST(a * 100 + b * 10 + c AS BIGINT), 0.5, CAST(NULL AS TIMESTAMP(3))) FROM "
        + digits("a") + ", " + digits("b") + ", " + digits("c")));
    step("counted", () -> rows(tables, "SELECT COUNT(*), SUM(n.visits) FROM people WHERE rowkey >= 'q'"));
    step("lookup join", () -> rows(tables, "SELECT o.who, p.i.name, o.amount FROM orders AS o LEFT JOIN people FOR SYSTEM_TIME AS OF o.asked AS p ON o.who = p.rowkey"));
    step("overwritten", () -> insert(tables, "INSERT INTO people VALUES ('p2', ROW('Hopper', DATE '1906-12-09', 1.00), ROW(2, 2, TIMESTAMP '2000-01-01 00:00:00'))"));
    step("select of the row", () -> rows(tables, "SELECT i.name, i.paid, n.visits FROM people WHERE rowkey = 'p2'"));
    step("a table that is not there", () -> rows(tables, "SELECT * FROM nowhere"));
  }

  private static String digits(String name) {
    return "(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS t" + name + "(" + name + ")";
  }

  public static void main(String[] args) {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    tables.getConfig().set("parallelism.default", "1");
    define(tables, args[0].split(":")[1]);
    run(tables);
    System.exit(0);
  }
}
