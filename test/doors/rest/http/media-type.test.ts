import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyType, negotiate } from '../../../../src/doors/rest/http/media-type.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { testRuns } from '../../../harness/test-runs.ts'

const OFFERED = ['application/octet-stream', 'text/xml', 'application/json'] as const

describe('negotiation', () => {
  test.each([
    [undefined, 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [' , ,', 'application/octet-stream'],
    ['*', 'application/octet-stream'],
    ['*/*', 'application/octet-stream'],
    ['*/*;q=0', 'application/octet-stream'],
    ['*/*;charset=utf-8', 'application/octet-stream'],
    ['text/*;level=1', 'text/xml'],
    ['text', 'text/xml'],
    ['text/*', 'text/xml'],
    ['TEXT/XML', 'text/xml'],
    ['text/xml;q=0.1, application/json;q=0.9', 'application/json'],
    ['text/xml;q=.1,application/json;Q=.9', 'application/json'],
    ['text/xml ; q = 0.1\t,\tapplication/json ; q = "0.9"', 'application/json'],
    ['text/xml;q=0., application/json;q=1.', 'application/json'],
    ['application/json, text/xml', 'application/json'],
    [',, text/xml,, application/json,', 'text/xml'],
    ['*/*;q=0.8, application/json;q=0.8', 'application/json'],
    ['application/json;q=0', 'application/json'],
    ['image/png, */*;q=0.1', 'application/octet-stream'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/octet-stream'],
    ['application/json; charset=utf-8', 'application/json;charset=utf-8'],
    ['application/json; CharSet=ISO-8859-1', 'application/json;charset=utf-8'],
    ['text/xml;q=0.5;level=1;a="x, \\"y";', 'text/xml;a="x, \\"y";level=1'],
  ])('%s gives %s', (accept, contentType) => {
    expect(negotiate(accept, OFFERED).contentType).toBe(contentType)
  })

  test.each(['image/png', 'application/xml', 'text/xml2', 'texts/xml', 'json', 'application/vnd.x+json'])(
    'names the offered types instead of %s',
    (accept) => {
      expect(() => negotiate(accept, OFFERED)).toThrow(
        expect.objectContaining({
          status: 406,
          body: `this resource offers ${OFFERED.join(', ')}, not ${accept}`,
        }),
      )
    },
  )

  test.each([
    'text/xml;q=abc',
    'text/xml;q=2',
    'text/xml;q=1.5',
    'text/xml;q=-1',
    'text/xml;q=.',
    'text/xml;q=0.1234',
    'text/xml;q=',
    'text/xml;q',
    'text/xml;=1',
    'text/xml;a="x',
    'text/',
    '/xml',
    'text / xml',
    'text/xml text/plain',
    '(a comment) text/xml',
    '\xe9/x',
  ])('refuses %s', (accept) => {
    expect(() => negotiate(accept, OFFERED)).toThrow(expect.objectContaining({ status: 400 }))
  })

  test('does not depend on case, blanks, empty elements, or how a quality is written', () => {
    const blank = fc.constantFrom('', ' ', '\t', '  ')
    const type = fc.constantFrom(
      'text/xml',
      'application/json',
      'application/octet-stream',
      'image/png',
      'text/*',
      '*/*',
      '*',
    )
    const quality = fc.constantFrom(
      ['', ''],
      ['q=1', 'Q=1.'],
      ['q=0.5', 'q=.5'],
      ['q=0.25', 'q="0.250"'],
      ['q=0', 'q=0.'],
    )
    const element = fc.record({ type, quality, blank, upper: fc.boolean(), empty: fc.boolean() })
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
        const plain = elements.map(({ type, quality }) =>
          [type, ...quality.slice(0, 1)].filter(Boolean).join(';'),
        )
        const strange = elements.map(({ type, quality, blank, upper, empty }) => {
          const name = upper ? type.toUpperCase() : type
          const parameter = quality[1].replace('=', `${blank}=${blank}`)
          return `${blank}${name}${blank};${blank}${parameter}${blank}${empty ? ',' : ''}`
        })
        expect(outcome(strange.join(','))).toEqual(outcome(plain.join(',')))
      }),
      { numRuns: testRuns(300) },
    )
  })

  test('answers or refuses any header', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('*/;,="\\ q0.1ax\t\xe9')), maxLength: 30 })
    fc.assert(
      fc.property(text, (accept) => {
        expect(['string', 400, 406]).toContain(outcome(accept).kind)
      }),
      { numRuns: testRuns(2000) },
    )
  })
})

/** The type of the answer, or the status of the refusal. */
function outcome(accept: string): { kind: unknown; type?: string } {
  try {
    const { contentType } = negotiate(accept, OFFERED)
    return { kind: typeof contentType, type: contentType }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return { kind: (error as unknown as { status: number }).status }
  }
}

describe('bodies', () => {
  test('are taken in the types that the resource knows', () => {
    expect(bodyType(undefined, OFFERED)).toBeUndefined()
    expect(bodyType('Application/JSON; charset=utf-8', OFFERED)).toBe('application/json')
    expect(bodyType('*/*', OFFERED)).toBe('application/octet-stream')
    expect(() => bodyType('image/png', OFFERED)).toThrow(expect.objectContaining({ status: 415 }))
  })

  test.each(['garbage', '', ',', 'text/xml, application/json', 'text/xml;a'])(
    'of type "%s" are refused',
    (type) => {
      expect(() => bodyType(type, OFFERED)).toThrow(expect.objectContaining({ status: 400 }))
    },
  )
})
