/** Turns text into the slug of a case's id: lower case letters, digits and dashes, short, the same for the same text. */

import { createHash } from 'node:crypto'

/** A longer slug is cut, and ends with a digest of its whole text. */
const SLUG_LENGTH_MAX = 60
const DIGEST_LENGTH = 6

/** Names of the characters that have a meaning. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '*': 'star',
  '+': 'plus',
  '<': 'lt',
  '>': 'gt',
  '!': 'bang',
  '%': 'percent',
  '^': 'caret',
  $: 'dollar',
  '|': 'bar',
  '\\': 'backslash',
  '@': 'at',
  '~': 'tilde',
  '`': 'tick',
  '.': 'dot',
  ':': 'colon',
  ',': 'comma',
  '/': 'slash',
  '=': 'eq',
  '-': 'dash',
}
/** Characters that only separate words, and their names for a text of nothing else. */
const QUIET: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\t': 'tab',
  '\n': 'newline',
  '\r': 'return',
  '(': 'paren',
  ')': 'close-paren',
  '[': 'bracket',
  ']': 'close-bracket',
  '{': 'brace',
  '}': 'close-brace',
  "'": 'quote',
  '"': 'double-quote',
  _: 'underscore',
  '&': 'and',
  '?': 'question',
  '#': 'hash',
  ';': 'semicolon',
}

/** The ends of Java's integers, where cases try what lies beyond. */
const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\w)-9223372036854775808(?!\d)/g, ' min '],
  [/(?<!\d)9223372036854775806(?!\d)/g, ' max minus 1 '],
  [/(?<!\d)9223372036854775807(?!\d)/g, ' max '],
  [/(?<!\d)9223372036854775808(?!\d)/g, ' max plus 1 '],
  [/(?<!\w)-2147483648(?!\d)/g, ' min int '],
  [/(?<!\d)2147483647(?!\d)/g, ' max int '],
  [/(?<!\d)2147483648(?!\d)/g, ' max int plus 1 '],
]

/** `content` is the part that the text leaves out: the slug ends with its digest. */
export function slugOf(text: string, content?: string): string {
  const words = spelled(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const slug = words.length === 0 ? quietWords(text) : words.join('-')
  if (content === undefined && slug.length <= SLUG_LENGTH_MAX) return slug
  const start = slug.slice(0, SLUG_LENGTH_MAX - DIGEST_LENGTH - 1)
  const whole = start.length < slug.length ? start.replace(/-[^-]*$/, '') : start
  const digest = createHash('sha256').update(content ?? text)
  return `${whole}-${digest.digest('hex').slice(0, DIGEST_LENGTH)}`
}

function quietWords(text: string): string {
  if (text === '') return 'empty'
  return Array.from(text, (character) => QUIET[character] ?? 'x').join('-')
}

function spelled(text: string): string {
  let result = text.replace(/(.)\1{19,}/gs, (run, character: string) => ` ${character} ${run.length} times `)
  for (const [number, words] of NUMBERS) result = result.replace(number, words)
  return result
    .replace(/(?:''|"")/g, ' empty ')
    .replace(/(\w)Filter(?=\()/g, '$1')
    .replace(/\b(binary|binaryprefix|regexstring|substring):/g, '$1 ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => ` x${code.toLowerCase()} `)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\x20-\x7e]/gu, characterWords)
    .replace(/<=|>=|!=|[^\w\s]/g, (mark, at: number, all: string) => markWords(mark, at, all))
    .toLowerCase()
}

function characterWords(character: string): string {
  if (character === '\n' || character === '\t' || character === '\r') return ` ${QUIET[character]!} `
  return ` x${character.codePointAt(0)!.toString(16).padStart(2, '0')} `
}

function markWords(mark: string, at: number, all: string): string {
  if (mark === '<=') return ' le '
  if (mark === '>=') return ' ge '
  if (mark === '!=') return ' ne '
  const before = all[at - 1] ?? ''
  const after = all[at + 1] ?? ''
  return isSilent(mark, before, after) ? ' ' : ` ${markName(mark, before, after)} `
}

/** True for punctuation that only separates two words at its place. */
function isSilent(mark: string, before: string, after: string): boolean {
  const isBetween = /\w/.test(before) && /\w/.test(after)
  switch (mark) {
    case '/':
      return before !== '/' && /^[^,:]?$/.test(before) && /[^/,:?]/.test(after)
    case ',':
      return isBetween || after === ' ' || /["']/.test(before) || after === '"'
    case '=':
      return /[\w"']/.test(before) && /[^&?]/.test(after)
    case ':':
    case '.':
    case '-':
      return isBetween || (mark === ':' && /["']/.test(before))
    case '(':
      return after !== '' && after !== '&'
    default:
      return mark in QUIET
  }
}

function markName(mark: string, before: string, after: string): string {
  if (mark === '=' && /\w/.test(before) && after !== '?') return 'empty'
  if (mark === '-' && /\d/.test(after)) return 'minus'
  return CHARACTERS[mark] ?? QUIET[mark] ?? 'x'
}
