import { compileJavaRegex, type JavaRegex } from './java-regex.ts'
import { PatternFlag } from './pattern-flags.ts'

const { CaseInsensitive, Dotall, Multiline, UnicodeCase, UnicodeCharacterClass, UnixLines } = PatternFlag

/** The flags that HBase hands on to Joni. */
const JONI_FLAGS = CaseInsensitive | Dotall | Multiline
/**
 * Joni's reading of Java's syntax:
 *  alone ends a line, and case and classes are Unicode's.
 */
const JONI_WAYS = UnixLines | UnicodeCase | UnicodeCharacterClass

/**
 * A pattern of HBase's other engine, Joni, which reads nearly the same syntax. Tidegate refuses Joni's extensions
 * ([:alpha:], a quantifier after a quantifier, a brace or an escape without meaning), with Java's messages. Joni always
 * takes the bytes as UTF-8 also where the comparator names another charset.
 */
export function compileJoniRegex(pattern: string, flags: number): JavaRegex {
  return compileJavaRegex(pattern, (flags & JONI_FLAGS) | JONI_WAYS)
}
