import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.hbase.HBaseIO;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.util.Bytes;

/** Pipelines of Apache Beam that write mutations and read rows, by ranges that it splits, on a table with the family f. */
public final class BeamRun {
  private static final String TABLE = "systems_beam";
  private static final byte[] F = toBytes("f");

  /** Rows, and the sum of their numbers, as metrics. */
  static final class Counting extends DoFn<Result, Void> {
    private final Counter rows = Metrics.counter("run", "rows");
    private final Counter sum = Metrics.counter("run", "sum");

    @ProcessElement
    public void count(@Element Result row) {
      rows.inc();
      sum.inc(Bytes.toInt(row.getValue(F, toBytes("n"))));
    }
  }

  static final class Putting extends DoFn<Integer, Mutation> {
    @ProcessElement
    public void put(@Element Integer number, OutputReceiver<Mutation> out) {
      byte[] row = toBytes(String.format("row%05d", number));
      if (number >= 0) out.output(new Put(row, 7).addColumn(F, toBytes("n"), Bytes.toBytes(number)));
      else out.output(new Delete(toBytes(String.format("row%05d", -number)), 9));
    }
  }

  private final Configuration configuration;

  private BeamRun(Configuration configuration) {
    this.configuration = configuration;
  }

  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  private Pipeline pipeline() {
    return Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=DirectRunner", "--targetParallelism=2").create());
  }

  private Object write(int from, int to) {
    Pipeline pipeline = pipeline();
    pipeline.apply(Create.of(IntStream.range(from, to).boxed().collect(Collectors.toList())))
        .apply(ParDo.of(new Putting()))
        .apply(HBaseIO.write().withConfiguration(configuration).withTableId(TABLE));
    return pipeline.run().waitUntilFinish();
  }

  private Object read(HBaseIO.Read read) {
    Pipeline pipeline = pipeline();
    pipeline.apply(read.withConfiguration(configuration).withTableId(TABLE)).apply(ParDo.of(new Counting()));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return counted(result, "rows") + " rows, " + counted(result, "sum");
  }

  private static long counted(PipelineResult result, String name) {
    long sum = 0;
    MetricsFilter filter = MetricsFilter.builder().addNameFilter(MetricNameFilter.named("run", name)).build();
    for (MetricResult<Long> counter : result.metrics().queryMetrics(filter).getCounters()) sum += counter.getAttempted();
    return sum;
  }

  private void run() {
    step("writes", () -> write(0, 5000));
    step("all rows", () -> read(HBaseIO.read()));
    step("a range", () -> read(HBaseIO.read().withKeyRange(toBytes("row01000"), toBytes("row02000"))));
    step("a filter", () -> read(HBaseIO.read().withFilter(new PrefixFilter(toBytes("row0012")))));
    step("two filters", () -> read(HBaseIO.read().withFilter(new FilterList(
        new PrefixFilter(toBytes("row0")), new RowFilter(CompareOperator.EQUAL, new SubstringComparator("77"))))));
    step("a scan", () -> read(HBaseIO.read().withScan(new Scan().withStartRow(toBytes("row04900")).addFamily(F))));
    step("deletes", () -> write(-999, 0));
    step("the rows that are left", () -> read(HBaseIO.read()));
    step("a table that is not there", () -> {
      Pipeline pipeline = pipeline();
      pipeline.apply(HBaseIO.read().withConfiguration(configuration).withTableId("systems_none")).apply(ParDo.of(new Counting()));
      return pipeline.run().waitUntilFinish();
    });
  }

  public static void main(String[] args) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", args[0].split(":")[1]);
    configuration.setInt("hbase.client.retries.number", 3);
    new BeamRun(configuration).run();
    System.exit(0);
  }
}
