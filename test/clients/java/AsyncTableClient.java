import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/** AsyncTable and AsyncBufferedMutator: futures, observers and scans that pause. */
public final class AsyncTableClient {
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final byte[] Q = toBytes("q");

  private final AsyncConnection connection;
  private final TableName name;
  private final AsyncTable<AdvancedScanResultConsumer> table;

  private AsyncTableClient(AsyncConnection connection, TableName name) {
    this.connection = connection;
    this.name = name;
    this.table = connection.getTable(name);
  }

  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("java_async");
    if (args.length < 2) {
      try (Connection made = ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
        Printed.createTable(made, name);
      }
    }
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Printed.configuration(args[0])).get()) {
      AsyncTableClient client = new AsyncTableClient(connection, name);
      client.rows();
      client.conditions();
      client.lists();
      client.scans();
      client.many();
      client.regions();
    }
  }

  private static Put put(String row, String value, long at) {
    return new Put(toBytes(row)).addColumn(F, Q, at, toBytes(value));
  }

  private void run(String what, Callable<CompletableFuture<?>> operation) {
    Printed.run(what, () -> operation.call().get());
  }

  private void rows() {
    byte[] a = toBytes("a");
    run("put", () -> table.put(put("a", "1", 1)));
    run("get", () -> table.get(new Get(a)));
    run("exists", () -> table.exists(new Get(a)));
    run("exists not", () -> table.exists(new Get(toBytes("missing"))));
    run("increment", () -> table.incrementColumnValue(a, F, toBytes("n"), 4));
    run("increment two", () -> table.increment(
        new Increment(a).addColumn(F, toBytes("n"), 1).addColumn(G, toBytes("n"), 2)));
    run("append", () -> table.append(new Append(a).addColumn(F, Q, toBytes("2"))));
    run("append silently", () -> table.append(
        new Append(a).addColumn(F, Q, toBytes("3")).setReturnResults(false)));
    run("delete", () -> table.delete(new Delete(a).addColumns(F, toBytes("n"))));
    run("mutateRow", () -> table.mutateRow(
        RowMutations.of(Arrays.asList(put("a", "4", 9), new Delete(a).addColumns(G, toBytes("n"))))));
    run("mutateRow with results", () -> table.mutateRow(RowMutations.of(Arrays.asList(
        new Increment(a).addColumn(F, toBytes("m"), 1), new Append(a).addColumn(G, Q, toBytes("x"))))));
    run("row", () -> table.get(new Get(a).readAllVersions()));
    run("no family", () -> table.get(new Get(a).addFamily(toBytes("nope"))));
    run("put without family", () -> table.put(new Put(a).addColumn(toBytes("nope"), Q, Q)));
    run("no table", () -> connection.getTable(TableName.valueOf("java_none")).get(new Get(a)));
  }

  private void conditions() {
    byte[] k = toBytes("k");
    run("fill", () -> table.put(put("k", "5", 1)));
    run("if equals", () -> table.checkAndMutate(
        CheckAndMutate.newBuilder(k).ifEquals(F, Q, toBytes("5")).build(put("k", "6", 1))));
    run("if not equals", () -> table.checkAndMutate(
        CheckAndMutate.newBuilder(k).ifEquals(F, Q, toBytes("5")).build(new Delete(k))));
    run("if less, then several", () -> table.checkAndMutate(
        CheckAndMutate.newBuilder(k).ifMatches(F, Q, CompareOperator.LESS, toBytes("9")).build(
            new RowMutations(k)
                .add(new Increment(k).addColumn(F, toBytes("n"), 3))
                .add((org.apache.hadoop.hbase.client.Mutation) put("k", "7", 1)))));
    run("if filter", () -> table.checkAndMutate(
        CheckAndMutate.newBuilder(k)
            .ifMatches(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(toBytes("7"))))
            .build(new Append(k).addColumn(F, Q, toBytes("!")))));
    run("if not there", () -> table.checkAndMutate(
        CheckAndMutate.newBuilder(k).ifNotExists(G, Q).build(new Put(k).addColumn(G, Q, 1, Q))));
    run("all conditions", () -> table.checkAndMutateAll(Arrays.asList(
        CheckAndMutate.newBuilder(k).ifNotExists(G, Q).build(new Delete(k)),
        CheckAndMutate.newBuilder(toBytes("z")).ifNotExists(G, Q).build(put("z", "1", 1)))));
    run("row", () -> table.get(new Get(k)));
  }

  private void lists() throws Exception {
    run("puts", () -> table.putAll(Arrays.asList(put("b", "1", 1), put("n", "1", 1), put("o", "1", 1))));
    run("gets", () -> table.getAll(Arrays.asList(
        new Get(toBytes("o")), new Get(toBytes("missing")), new Get(toBytes("b")))));
    run("exist", () -> table.existsAll(Arrays.asList(new Get(toBytes("o")), new Get(toBytes("missing")))));
    run("deletes", () -> table.deleteAll(Arrays.asList(new Delete(toBytes("b")), new Delete(toBytes("n")))));
    List<Row> rows = Arrays.asList(
        put("b", "2", 2),
        new Get(toBytes("o")),
        new Increment(toBytes("c")).addColumn(F, Q, 2),
        new Delete(toBytes("o")).addColumns(F, toBytes("other")),
        RowMutations.of(Arrays.asList(put("rows", "1", 1), put("rows", "2", 2))),
        new Append(toBytes("z")).addColumn(G, Q, toBytes("a")));
    run("batch", () -> table.batchAll(rows));
    List<Row> withFault = Arrays.asList(put("b", "3", 3), new Get(toBytes("o")).addFamily(toBytes("nope")));
    Printed.run("batch with a fault", () -> {
      List<Object> all = new ArrayList<>();
      for (CompletableFuture<Object> each : table.batch(withFault)) {
        all.add(each.handle((value, error) -> Printed.text(error == null ? value : error)).get());
      }
      return all;
    });
  }

  private void scans() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 100; i++) puts.add(put(String.format("s%02d", i), "v" + i, 5));
    for (int i = 0; i < 20; i++) puts.add(put(String.format("j%02d", i), "v" + i, 5));
    table.putAll(puts).get();
    run("scan all", () -> table.scanAll(new Scan().withStartRow(toBytes("j1")).setLimit(15)));
    run("scan all reversed", () -> table.scanAll(new Scan().setReversed(true).setLimit(3)
        .setFilter(new PrefixFilter(toBytes("s")))));
    run("scan of no family", () -> table.scanAll(new Scan().addFamily(toBytes("nope"))));
    Printed.run("scanner", () -> {
      int count = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(7))) {
        for (Result each : scanner) count += each.size();
      }
      return count;
    });
    Printed.run("observer", () -> {
      CompletableFuture<Integer> all = new CompletableFuture<>();
      connection.getTable(name, java.util.concurrent.ForkJoinPool.commonPool())
          .scan(new Scan().setFilter(new PrefixFilter(toBytes("s"))).setCaching(9), new Counter(all));
      return all.get();
    });
    Printed.run("advanced observer", () -> {
      CompletableFuture<String> all = new CompletableFuture<>();
      table.scan(new Scan().setCaching(30).setMaxResultSize(700), new Pauser(all));
      return all.get();
    });
  }

  private static final class Counter implements ScanResultConsumer {
    private final CompletableFuture<Integer> all;
    private int count;

    Counter(CompletableFuture<Integer> all) {
      this.all = all;
    }

    @Override
    public boolean onNext(Result result) {
      count += result.size();
      return true;
    }

    @Override
    public void onError(Throwable error) {
      all.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      all.complete(count);
    }
  }

  /** Suspends the scan after each batch and goes on from another thread. */
  private static final class Pauser implements AdvancedScanResultConsumer {
    private final CompletableFuture<String> all;
    private int count;

    Pauser(CompletableFuture<String> all) {
      this.all = all;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result each : results) count += each.size();
      ScanResumer resumer = controller.suspend();
      CompletableFuture.runAsync(resumer::resume);
    }

    @Override
    public void onError(Throwable error) {
      all.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      all.complete(count + " cells");
    }
  }

  private void many() throws Exception {
    List<CompletableFuture<?>> all = new ArrayList<>();
    try (AsyncBufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < 500; i++) all.add(mutator.mutate(put((i % 2 == 0 ? "e" : "y") + i, "v", 1)));
      mutator.flush();
      CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).get();
    }
    List<CompletableFuture<Result>> gets = new ArrayList<>();
    for (int i = 0; i < 500; i++) gets.add(table.get(new Get(toBytes((i % 2 == 0 ? "e" : "y") + i))));
    int found = 0;
    for (CompletableFuture<Result> each : gets) found += each.get().size();
    Printed.line("buffered", found);
  }

  private void regions() {
    AsyncTableRegionLocator locator = table.getRegionLocator();
    run("start keys", () -> locator.getStartKeys());
    run("regions", () -> locator.getAllRegionLocations().thenApply(List::size));
    run("region of z", () -> locator.getRegionLocation(toBytes("z"), true)
        .thenApply(location -> location.getRegion().getStartKey()));
  }
}
