import { describe, expect, test } from 'vitest'
import { xmlElement } from '../../../src/wire/rest/xml-writer.ts'
import { parseXml } from '../../../src/wire/text/xml-document.ts'
import { toDepth } from './decode-limits.ts'

describe('XML', () => {
  test('is read with its attributes, children and text', () => {
    const text = `<?xml version="1.0"?><!-- c --><a x='1' y="&lt;&#233;&quot;"> t<b/><![CDATA[<&]]>u&amp;</a>\n`
    expect(parseXml(Buffer.from(text), toDepth(5), 'a')).toEqual({
      name: 'a',
      attributes: new Map([
        ['x', '1'],
        ['y', '<é"'],
      ]),
      children: [{ name: 'b', attributes: new Map(), children: [], text: '' }],
      text: '<&u&',
    })
  })

  test('goes round', () => {
    const value = `<>&"' \té`
    expect(parseXml(Buffer.from(xmlElement('a', [['v', value]])), toDepth(5), 'a').attributes.get('v')).toBe(
      value,
    )
  })

  test.each([
    '',
    '<',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a/>x',
    'x<a/>',
    ' <?xml version="1.0"?><a/>',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a>&nope;</a>',
    '<a>&#0;</a>',
    '<a>&#x110000;</a>',
    '<!DOCTYPE a><a/>',
    '<a>'.repeat(9) + '</a>'.repeat(9),
  ])('%j is refused', (text) => {
    expect(() => parseXml(Buffer.from(text), toDepth(5), 'a')).toThrow(
      expect.objectContaining({ code: 'CORRUPTION' }),
    )
  })
})
