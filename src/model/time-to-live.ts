/** Times to live in the words of HBase's shell. */

/** Seconds that mean "for ever": HConstants.FOREVER. */
export const TTL_FOREVER = 0x7fffffff

const UNITS = /^(?:(\d+)\s*DAYS?)?\s*(?:(\d+)\s*HOURS?)?\s*(?:(\d+)\s*MINUTES?)?\s*(?:(\d+)\s*SECONDS?)?$/i

/**
 * The seconds of FOREVER, or of a text such as `1 DAYS 12 HOURS` or `604800 SECONDS (7 DAYS)`; undefined for any other text, a
 * plain number too. HBase: org.apache.hadoop.hbase.util.PrettyPrinter.
 */
export function secondsInWords(text: string): number | undefined {
  const plain = text.replace(/\(.*\)\s*$/, '').trim()
  if (/^forever$/i.test(plain)) return TTL_FOREVER
  const match = plain.length > 0 ? UNITS.exec(plain) : null
  if (match === null) return undefined
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
}
