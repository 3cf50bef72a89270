import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileJavaRegex } from '../../../src/filter/regex/java-regex.ts'
import { packageRoot } from '../../../src/package-root.ts'

/**
 * The answers of java.util.regex of OpenJDK 17: for each text whether the pattern is found in it and matches all of it.
 */
interface JavaCase {
  readonly pattern: string
  readonly flags: number
  readonly texts?: readonly (readonly [text: string, found: number, matched: number])[]
  readonly error?: string
}

const cases = readFileSync(new URL('test/filter/regex/java-patterns.jsonl', packageRoot()), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JavaCase)

describe('as Java', () => {
  test.each(cases)('%j', ({ pattern, flags, texts, error }) => {
    if (texts === undefined) {
      expect(() => compileJavaRegex(pattern, flags)).toThrow(
        expect.objectContaining({ name: 'HBaseError', code: 'ILLEGAL_ARGUMENT', message: error }),
      )
      return
    }
    const regex = compileJavaRegex(pattern, flags)
    const answers = texts.map(([text]) => [text, Number(regex.find(text)), Number(regex.matches(text))])
    expect(answers).toEqual(texts)
  })
})
