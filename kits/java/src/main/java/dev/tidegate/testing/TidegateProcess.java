package dev.tidegate.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tidegate as a process of this machine: for those who have no Docker, and for those who do not want to wait for it. The variable
 * TIDEGATE_COMMAND, or {@link #withCommand}, names {@code tidegate} or its JavaScript file; else it is on the PATH.
 */
public final class TidegateProcess implements Tidegate, AutoCloseable {
  private static final List<String> DOORS = List.of("rest", "thrift", "rpc", "zookeeper", "web");
  private static final Pattern DOOR = Pattern.compile("(\\w+)=(\\S+):(\\d+)");
  private static final long STOP_SECONDS = 15;
  private static final int SAID_MAX = 4000;

  private final Map<String, InetSocketAddress> addresses = new HashMap<>();
  private String command;
  private List<String> options = List.of();
  private String seed = "{}";
  private Duration startupTimeout = Duration.ofSeconds(60);
  private Process process;
  private Thread killer;

  public TidegateProcess withCommand(String path) {
    command = path;
    return this;
  }

  /** Options of {@code tidegate serve}, such as {@code --store native:DIRECTORY}. */
  public TidegateProcess withOptions(String... words) {
    options = List.of(words);
    return this;
  }

  /** JSON with the tables that the server has at its start and after each {@link #reset()}. */
  public TidegateProcess withSeed(String json) {
    seed = json;
    return this;
  }

  public TidegateProcess withStartupTimeout(Duration timeout) {
    startupTimeout = timeout;
    return this;
  }

  @Override
  public String getSeed() {
    return seed;
  }

  /** Returns when the server is ready. A start that fails throws what the server has printed. */
  public TidegateProcess start() {
    if (process != null) throw new IllegalStateException("Tidegate runs already");
    try {
      File errors = File.createTempFile("tidegate", ".log");
      try {
        launch(errors);
      } finally {
        // The process keeps the file open, where it still runs.
        Files.deleteIfExists(errors.toPath());
      }
      reset();
      return this;
    } catch (IOException error) {
      throw new UncheckedIOException(
          "Tidegate cannot be started: " + error.getMessage() + ". TIDEGATE_COMMAND may name its command.", error);
    } catch (RuntimeException error) {
      close();
      throw error;
    }
  }

  private void launch(File errors) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words()).redirectError(errors);
    // A variable in the environment of the tests must not choose another store.
    builder.environment().keySet().removeIf(name -> name.startsWith("TIDEGATE_"));
    builder.environment().putAll(defaults());
    Process started = builder.start();
    process = started;
    killer = new Thread(started::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    started.getOutputStream().close();
    String line = readyLine(started);
    if (line == null) {
      started.destroyForcibly().onExit().join();
      String said = Files.readString(errors.toPath());
      String end = said.substring(Math.max(0, said.length() - SAID_MAX));
      throw new IllegalStateException(
          "Tidegate was not ready within " + startupTimeout.toMillis() + " ms, or ended.\n" + end);
    }
    Matcher found = DOOR.matcher(line);
    while (found.find())
      addresses.put(found.group(1), InetSocketAddress.createUnresolved(found.group(2), Integer.parseInt(found.group(3))));
  }

  private List<String> words() {
    String stated = command == null ? System.getenv("TIDEGATE_COMMAND") : command;
    String path = stated == null ? "tidegate" : stated;
    List<String> words = new ArrayList<>();
    if (path.endsWith("js")) words.add("node");
    words.add(path);
    words.add("serve");
    words.addAll(options);
    return words;
  }

  /** Variables, and no flags: an option of the test's own goes before, where a flag would be refused twice. */
  private static Map<String, String> defaults() {
    Map<String, String> defaults = new HashMap<>();
    defaults.put("TIDEGATE_STORE", "memory");
    defaults.put("TIDEGATE_HOST", "127.0.0.1");
    defaults.put("TIDEGATE_LOG_LEVEL", "warn");
    defaults.put("TIDEGATE_TEST_MODE", "yes");
    for (String door : DOORS) defaults.put("TIDEGATE_" + door.toUpperCase(Locale.ROOT), "0");
    return defaults;
  }

  /** Null where the process has ended or its time is over. */
  private String readyLine(Process started) {
    CompletableFuture<String> ready = new CompletableFuture<>();
    Thread reader = new Thread(() -> {
      try (BufferedReader output =
          new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
        // The pipe is read to its end, or the server would wait for room in it.
        for (String line = output.readLine(); line != null; line = output.readLine())
          if (line.startsWith("ready ")) ready.complete(line);
        ready.complete(null);
      } catch (IOException error) {
        ready.complete(null);
      }
    }, "tidegate-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return ready.get(startupTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException error) {
      return null;
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Returns when the process has ended. */
  @Override
  public void close() {
    if (process == null) return;
    Process ending = process;
    process = null;
    addresses.clear();
    ending.destroy();
    try {
      if (!ending.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) ending.destroyForcibly().waitFor();
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (InterruptedException error) {
      ending.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException error) {
      // The machine shuts down: the hook has ended the process.
    }
  }

  @Override
  public String getRestUrl() {
    return url("rest");
  }

  @Override
  public String getWebUrl() {
    return url("web");
  }

  @Override
  public InetSocketAddress getThrift() {
    return address("thrift");
  }

  @Override
  public InetSocketAddress getRpc() {
    return address("rpc");
  }

  @Override
  public InetSocketAddress getZookeeper() {
    return address("zookeeper");
  }

  private String url(String door) {
    InetSocketAddress address = address(door);
    return "http://" + address.getHostString() + ":" + address.getPort();
  }

  private InetSocketAddress address(String door) {
    InetSocketAddress address = addresses.get(door);
    if (address == null) throw new IllegalStateException("Tidegate has no door " + door + ": it does not run, or the door is off");
    return address;
  }
}
