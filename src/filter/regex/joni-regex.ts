import { compileJavaRegex, type JavaRegex } from './java-regex.ts'
import { PatternFlag } from './pattern-flags.ts'

const { CaseInsensitive, Dotall, Multiline, UnicodeCase, UnicodeCharacterClass, UnixLines } = PatternFlag

/** The flags that HBase hands on to Joni. */
const JONI_FLAGS = CaseInsensitive | Dotall | Multiline
/** How Joni reads Java's syntax: \n alone ends a line, and case and classes are those of Unicode. */
const JONI_WAYS = UnixLines | UnicodeCase | UnicodeCharacterClass

/**
 * A pattern of HBase's other engine, Joni, which reads nearly the same syntax. What it takes beyond Java's ([:alpha:],
 * a quantifier after a quantifier, a brace or an escape without meaning) is refused here, and its messages are Java's.
 * Joni always takes the bytes as UTF-8, whatever charset the comparator names.
 */
export function compileJoniRegex(pattern: string, flags: number): JavaRegex {
  return compileJavaRegex(pattern, (flags & JONI_FLAGS) | JONI_WAYS)
}
