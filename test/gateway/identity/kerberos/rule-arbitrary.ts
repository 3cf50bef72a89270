/** Rules of auth_to_local and principals that they may fit. */

import fc from 'fast-check'
import { DEFAULT_REALM, type RuleCase } from '../../../harness/kerberos/kerberos-name.ts'

const REALMS = [DEFAULT_REALM, 'OTHER.EXAMPLE', 'example.com', 'X']
const NAMES = ['alice', 'Bob', 'hbase', 'HTTP', 'a.b', 'x', 'ann-1', 'münchen', 'aaa', '$1', 'o_o']
const HOSTS = ['admin', 'gateway.example', 'localhost', 'Host', '10.0.0.1']

/** Principals that a KDC may have, without escapes: KerberosName takes those for other principals. */
export const PRINCIPALS: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...NAMES), fc.option(fc.constantFrom(...HOSTS)), fc.constantFrom(...REALMS))
  .map(([name, host, realm]) => `${name}${host === null ? '' : `/${host}`}@${realm}`)

const FORMATS = fc.oneof(
  fc.constantFrom(
    '$1',
    '$1@$0',
    '$2',
    '$1;$2',
    '$1/$2@$0',
    '$0',
    '$3',
    '$',
    'x$1y$1',
    '$10',
    '',
    'fixed',
    '$1 $0',
  ),
  fc
    .array(fc.constantFrom('$', '0', '1', '2', 'a', '@', '.', ' '), { maxLength: 6 })
    .map((parts) => parts.join('')),
)
const MATCHES = fc.constantFrom(
  '.*',
  '.*@EXAMPLE\\.COM',
  '.*@OTHER.EXAMPLE',
  '[a-z]+@.*',
  '^alice@.*$',
  'a',
  '(alice|bob',
  '[',
  '',
  '\\w+',
  '.*@.*',
  'alice.*',
  '(?i)ALICE.*',
  '.+;admin',
  '\\$1.*',
  '(?=a).*',
  'm\\p{L}+.*',
  '*',
  'hbase',
  'a{1,3}.*',
)
const FROMS = fc.constantFrom(
  '@.*',
  '.*',
  '',
  'a',
  '(a)(b)?',
  '^',
  '$',
  '([a-z]+)@([A-Z.]+)',
  '[^a-z]',
  '(?<n>a)',
  'a*',
  '\\..*',
  '[',
  '(?<=a)l',
  'x|a',
  '([A-Z])([a-z]*)',
  '(a)|(l)',
  '@',
  'ü',
  '\\b',
)
const TOS = fc.constantFrom(
  '',
  'x',
  '$1',
  '$0',
  '$2$1',
  '\\$1',
  '$',
  '${n}',
  '${m}',
  '\\',
  '$12',
  'a b',
  '$1x',
  'root',
  '\\\\',
  '$9',
  '@',
  '${',
  '-$0-',
)

const RULE = fc
  .record({
    count: fc.constantFrom('1', '2', '1', '2', '3', '', '0', '01', '99999999999'),
    format: FORMATS,
    match: fc.option(MATCHES),
    replaced: fc.option(fc.tuple(FROMS, TOS, fc.constantFrom('', 'g'))),
    end: fc.constantFrom('', '', '/L', 'L', '/', '/l'),
  })
  .map(({ count, format, match, replaced, end }) => {
    const substitution = replaced === null ? '' : `s/${replaced[0]}/${replaced[1]}/${replaced[2]}`
    return `RULE:[${count}:${format}]${match === null ? '' : `(${match})`}${substitution}${end}`
  })

const RULES = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: RULE, weight: 8 },
        fc.constantFrom('DEFAULT', 'DEFAULT/L', 'DEFAULTL', 'default', 'RULE:[1'),
      ),
      fc.constantFrom(' ', '\n', '\t  ', '', '\u0001', '\u00a0'),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.flat().join(''))

export const RULE_CASES: fc.Arbitrary<RuleCase> = fc.record({
  rules: RULES,
  mechanism: fc.constantFrom('hadoop', 'mit'),
  principals: fc.array(PRINCIPALS, { minLength: 4, maxLength: 8 }),
})
