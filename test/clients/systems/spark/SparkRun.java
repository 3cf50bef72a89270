import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.spark.JavaHBaseContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Spark with hbase-spark, on a table with the families f and g: puts, gets, deletes, scans as RDDs, and as data frames of SQL. */
public final class SparkRun {
  private static final TableName TABLE = TableName.valueOf("systems_spark");
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final String FORMAT = "org.apache.hadoop.hbase.spark";
  private static final String COLUMNS = "id STRING :key, name STRING f:name, amount INT g:amount, big BIGINT g:big";

  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Throwable e) {
      if (Boolean.getBoolean("traces")) e.printStackTrace();
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  private static Put put(Integer number) {
    return new Put(toBytes(String.format("r%04d", number)), 5)
        .addColumn(F, toBytes("name"), toBytes("name " + number))
        .addColumn(G, toBytes("amount"), toBytes(number.intValue()))
        .addColumn(G, toBytes("big"), toBytes(Long.MAX_VALUE - number));
  }

  private static void rdds(JavaSparkContext spark, JavaHBaseContext hbase) {
    List<Integer> numbers = IntStream.range(0, 1500).boxed().collect(Collectors.toList());
    step("bulkPut", () -> {
      hbase.bulkPut(spark.parallelize(numbers, 4), TABLE, SparkRun::put);
      return "done";
    });
    step("hbaseRDD", () -> hbase.hbaseRDD(TABLE, new Scan().setCaching(100)).count());
    step("hbaseRDD with a filter", () -> new TreeSet<>(hbase.hbaseRDD(TABLE, new Scan().setFilter(new PrefixFilter(toBytes("r101"))))
        .map(found -> Bytes.toString(found._2().getRow()) + "=" + Bytes.toInt(found._2().getValue(G, toBytes("amount")))).collect()));
    step("partitions", () -> hbase.hbaseRDD(TABLE, new Scan()).getNumPartitions());
    step("bulkGet", () -> {
      JavaRDD<String> rows = spark.parallelize(Arrays.asList("r0007", "r1499", "none"), 2);
      return new TreeSet<>(hbase.bulkGet(TABLE, 2, rows, row -> new Get(toBytes(row)), SparkRun::text).collect());
    });
    step("bulkDelete", () -> {
      List<Integer> first = IntStream.range(0, 500).boxed().collect(Collectors.toList());
      hbase.bulkDelete(spark.parallelize(first, 2), TABLE, number -> new Delete(toBytes(String.format("r%04d", number))), 64);
      return hbase.hbaseRDD(TABLE, new Scan()).count();
    });
  }

  private static String text(Result result) {
    return result.isEmpty() ? "nothing" : Bytes.toString(result.getRow()) + " " + Bytes.toString(result.getValue(F, toBytes("name")));
  }

  private static Object rows(SparkSession session, String query) {
    List<String> found = new ArrayList<>();
    for (Row row : session.sql(query).collectAsList()) found.add(row.mkString(","));
    return found;
  }

  private static Dataset<Row> frame(SparkSession session) {
    return session.read().format(FORMAT).option("hbase.columns.mapping", COLUMNS)
        .option("hbase.table", TABLE.getNameAsString()).option("hbase.spark.pushdown.columnfilter", "false").load();
  }

  private static void sql(SparkSession session) {
    step("a data frame", () -> {
      frame(session).createOrReplaceTempView("things");
      return frame(session).schema().simpleString();
    });
    step("select of a row", () -> rows(session, "SELECT * FROM things WHERE id = 'r0777'"));
    step("select of a range", () -> rows(session, "SELECT id, amount FROM things WHERE id >= 'r1490' AND id < 'r1493' ORDER BY id"));
    step("select by value", () -> rows(session, "SELECT id FROM things WHERE name = 'name 1234'"));
    step("aggregates", () -> rows(session, "SELECT COUNT(*), SUM(amount), MAX(big), MIN(big) FROM things"));
    step("groups", () -> rows(session, "SELECT amount % 7 AS m, COUNT(*) FROM things GROUP BY amount % 7 ORDER BY m"));
    step("written", () -> {
      Dataset<Row> made = session.sql("SELECT concat('w', id) AS id, upper(name) AS name, amount + 1 AS amount, big - 1 AS big FROM things WHERE id < 'r0503'");
      made.write().format(FORMAT).option("hbase.columns.mapping", COLUMNS).option("hbase.table", TABLE.getNameAsString())
          .option("hbase.spark.use.hbasecontext", "true").save();
      return rows(session, "SELECT * FROM things WHERE id LIKE 'w%' ORDER BY id");
    });
  }

  public static void main(String[] args) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", args[0].split(":")[1]);
    configuration.setInt("hbase.client.retries.number", 3);
    SparkConf conf = new SparkConf().setMaster("local[2]").setAppName("run").set("spark.ui.enabled", "false").set("spark.hadoopRDD.ignoreEmptySplits", "false")
        .set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1").set("spark.sql.shuffle.partitions", "2");
    JavaSparkContext spark = new JavaSparkContext(conf);
    JavaHBaseContext hbase = new JavaHBaseContext(spark, configuration);
    rdds(spark, hbase);
    sql(SparkSession.builder().config(conf).getOrCreate());
    System.exit(0);
  }
}
