import { RE2JS } from 're2js'
import { HBaseError } from '../../model/errors.ts'

/** A compiled pattern of java.util.regex. */
export interface JavaRegex {
  /** Whether some part of the text matches. Java: Matcher.find. */
  find(text: string): boolean
  /** Whether the whole text matches. Java: Matcher.matches. */
  matches(text: string): boolean
}

/**
 * Compiles as Java's Pattern.compile(pattern, flags) does. Throws ILLEGAL_ARGUMENT with the message of Java's
 * PatternSyntaxException for what is no pattern.
 */
export function compileJavaRegex(pattern: string, flags: number): JavaRegex {
  try {
    const re2 = RE2JS.compile(
      pattern,
      ((flags & 2) === 0 ? 0 : RE2JS.CASE_INSENSITIVE) | ((flags & 32) === 0 ? 0 : RE2JS.DOTALL),
    )
    return { find: (text) => re2.test(text), matches: (text) => re2.testExact(text) }
  } catch (cause) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `not a regular expression: ${pattern}`, { cause })
  }
}
