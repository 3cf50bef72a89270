package dev.tidegate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The requests that tests make of a server's web door. */
final class TestRequests {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private TestRequests() {}

  static void reset(String webUrl, String seed) {
    ask(webUrl, "POST", "/_test/reset", seed);
  }

  static void fault(String webUrl, List<FaultRule> rules) {
    String json = rules.stream().map(FaultRule::toString).collect(Collectors.joining(",", "[", "]"));
    ask(webUrl, "PUT", "/_test/faults", json);
  }

  static List<Integer> faultsMade(String webUrl) {
    // The answer is {"made":[1,2]}: its numbers are all that there is.
    return Pattern.compile("\\d+").matcher(ask(webUrl, "GET", "/_test/faults", "")).results()
        .map(MatchResult::group).map(Integer::valueOf).collect(Collectors.toList());
  }

  private static String ask(String webUrl, String method, String path, String body) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(webUrl + path)).timeout(LONGEST)
        .method(method, BodyPublishers.ofString(body)).build();
    try {
      HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 200) return answer.body();
      throw new IllegalArgumentException(
          "Tidegate refuses " + method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    } catch (IOException error) {
      throw new UncheckedIOException("Tidegate does not answer " + method + " " + path, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Tidegate was asked " + method + " " + path, error);
    }
  }

  /** A text as JSON. */
  static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars().forEach(unit -> {
      if (unit < ' ' || unit == '"' || unit == '\\') json.append(String.format("\\u%04x", unit));
      else json.append((char) unit);
    });
    return json.append('"').toString();
  }
}
