import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePrincipal, principalText } from '../../src/kerberos/names/principal.ts'

test.each([
  ['alice@R', ['alice'], 'R'],
  ['hbase/host.example@R.EXAMPLE', ['hbase', 'host.example'], 'R.EXAMPLE'],
  ['alice', ['alice'], undefined],
  ['a/b/c@R', ['a', 'b', 'c'], 'R'],
  ['a\\/b@R', ['a/b'], 'R'],
  ['a\\@b@R', ['a@b'], 'R'],
  ['a\\\\@R', ['a\\'], 'R'],
  ['a\\nb\\tc\\b\\0@R', ['a\nb\tc\b\0'], 'R'],
  ['\\x@R', ['x'], 'R'],
])('%s', (text, components, realm) => {
  expect(parsePrincipal(text)).toEqual({ components, realm })
})

test.each(['', '@R', '/a@R', 'a/@R', 'a//b@R', 'a@', 'a@R@S', 'a@R/b', 'a@R\\'])('%s is none', (text) => {
  expect(parsePrincipal(text)).toBeUndefined()
})

test('every principal is read back from its text', () => {
  const part = fc.string({
    minLength: 1,
    unit: fc.constantFrom('a', '/', '@', '\\', '\n', '\t', '\b', '\0', 'ü', '_'),
  })
  const principals = fc.record({
    components: fc.array(part, { minLength: 1, maxLength: 4 }),
    realm: fc.option(part, { nil: undefined }),
  })
  fc.assert(
    fc.property(principals, (name) => {
      expect(parsePrincipal(principalText(name))).toEqual(name)
    }),
  )
})
