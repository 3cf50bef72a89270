import { HBaseError } from '../../model/errors.ts'

/** The message of Java's PatternSyntaxException, with the place in the pattern. */
export function patternSyntaxError(description: string, pattern: string, index: number): HBaseError {
  const caret = index >= 0 && index < pattern.length ? `\n${' '.repeat(index)}^` : ''
  const place = index >= 0 ? ` near index ${index}` : ''
  return new HBaseError('ILLEGAL_ARGUMENT', `${description}${place}\n${pattern}${caret}`, {
    detail: { javaClass: 'java.util.regex.PatternSyntaxException', description, index, pattern },
  })
}
