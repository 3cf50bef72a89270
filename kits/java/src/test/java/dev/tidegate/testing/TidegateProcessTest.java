package dev.tidegate.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TidegateProcessTest extends TidegateChecks {
  private static final TidegateProcess PROCESS = new TidegateProcess().withSeed(SEED);

  @BeforeAll
  static void start() {
    PROCESS.start();
  }

  @AfterAll
  static void stop() {
    PROCESS.close();
  }

  @Override
  Tidegate tidegate() {
    return PROCESS;
  }

  @Test
  void aStartThatFailsSaysWhy() {
    TidegateProcess wrong = new TidegateProcess().withOptions("--batch-max", "many");
    assertTrue(assertThrows(IllegalStateException.class, wrong::start).getMessage().contains("batch-max"));
    TidegateProcess missing = new TidegateProcess().withCommand("/nowhere/tidegate");
    assertTrue(assertThrows(UncheckedIOException.class, missing::start).getMessage().contains("TIDEGATE_COMMAND"));
    TidegateProcess hasty = new TidegateProcess().withStartupTimeout(Duration.ofMillis(1));
    assertTrue(assertThrows(IllegalStateException.class, hasty::start).getMessage().contains("within 1 ms"));
    assertThrows(IllegalArgumentException.class, new TidegateProcess().withSeed("{\"tables\":7}")::start);
  }

  @Test
  void textsOfRulesAreJson() {
    assertEquals("{\"table\":\"a\\u0022b\\u005c\\u000a\u00e9\"}", FaultRule.on().table("a\"b\\\n\u00e9").toString());
  }
}
