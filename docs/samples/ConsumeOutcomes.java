// Prints the outcome of each offset once. Needs Java 21, kafka-clients and jackson-databind;
// run: java -cp 'jars/*' ConsumeOutcomes.java
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

public class ConsumeOutcomes {
  private static final ObjectMapper JSON = new ObjectMapper();
  // A database would have these ids as a primary key, written in the transaction of the work.
  private static final Set<String> PROCESSED = new HashSet<>();

  public static void main(String[] args) throws InterruptedException {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", setting("KAFKA_BROKERS", "127.0.0.1:29092"),
        "group.id", setting("GROUP_ID", "my-service"),
        // For a group without a position: all that the topics still have, not only what comes from now on.
        "auto.offset.reset", "earliest",
        "enable.auto.commit", false);
    String prefix = setting("TOPIC_PREFIX", "");
    Thread main = Thread.currentThread();
    try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        consumer.wakeup();
        try {
          main.join();
        } catch (InterruptedException ignored) {
          Thread.currentThread().interrupt();
        }
      }));
      consumer.subscribe(List.of(prefix + "offset.completed", prefix + "offset.failed"));
      while (true) {
        consumer.poll(Duration.ofMillis(500)).forEach(ConsumeOutcomes::handle);
        // After the work, never before.
        consumer.commitSync();
      }
    } catch (WakeupException stopped) {
      // The program is asked to end; close() leaves the group.
    }
  }

  private static void handle(ConsumerRecord<String, String> message) {
    String type = header(message, "ce_type");
    String eventId = header(message, "ce_id");
    // Types and members that this program does not know are not errors.
    if (!"offset.completed.v1".equals(type) && !"offset.failed.v1".equals(type)) return;
    if (eventId == null || PROCESSED.contains(eventId)) return;
    JsonNode event;
    try {
      event = JSON.readTree(message.value() == null ? "" : message.value());
    } catch (JsonProcessingException invalid) {
      event = JSON.missingNode();
    }
    if (!event.isObject()) {
      // It will not become valid by a retry, and must not block what comes after it.
      System.err.printf("skipped: %s %d:%d is not a JSON object%n", message.topic(), message.partition(), message.offset());
      return;
    }
    String id = event.path("id").asText();
    // Weights are whole grams as text: a double loses digits beyond 2^53.
    if (type.equals("offset.completed.v1")) System.out.println(id + " completed " + event.path("grams").asText() + " grams");
    else System.out.println(id + " failed " + event.path("code").asText());
    PROCESSED.add(eventId);
  }

  private static String header(ConsumerRecord<String, String> message, String name) {
    var header = message.headers().lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static String setting(String name, String fallback) {
    String value = System.getenv(name);
    return value == null ? fallback : value;
  }
}
