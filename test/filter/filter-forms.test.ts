/** A filter printed in a form and read again is the same filter; any other input is answered, and soon. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectAnswer, forms } from './filter-form.ts'

const RUNS = 100

describe.each(forms)('$name', (form) => {
  test('says a filter so that it is read as the same one', () => {
    let said = 0
    let runs = 0
    fc.assert(
      fc.property(form.trees, (filter) => {
        runs++
        const printed = form.print(filter)
        if (printed === undefined) return
        said++
        expect(form.parse(printed)).toEqual(filter)
      }),
      { numRuns: RUNS },
    )
    expect(said).toBeGreaterThan(form.isTotal ? runs - 1 : runs / 10)
  })

  test('answers any bytes', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.constantFrom(...form.tokens), { maxLength: 12 })
        .map((tokens) => Buffer.from(tokens.join(''))),
    )
    fc.assert(
      fc.property(noise, (bytes) => expectAnswer(form, bytes)),
      { numRuns: RUNS },
    )
  })

  test('answers what was a filter before it was damaged', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    const damage = fc.tuple(
      place,
      fc.nat({ max: 4 }),
      fc.oneof(fc.constantFrom(...form.tokens, ''), fc.string()),
    )
    fc.assert(
      fc.property(form.trees, fc.array(damage, { minLength: 1, maxLength: 3 }), (filter, damages) => {
        let bytes = form.print(filter) ?? Buffer.alloc(0)
        for (const [at, removed, put] of damages) {
          const start = Math.floor(at * bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + removed)])
        }
        expectAnswer(form, bytes)
      }),
      { numRuns: RUNS },
    )
  })
})
