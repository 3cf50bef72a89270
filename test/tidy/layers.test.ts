import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isNamedBy } from '../../conformance/src/runner/ledger.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'

/** What git tracks or would: the project as data. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  // Another worker's test plants a folder for the linter, and removes it while this one reads.
  .filter((file) => file.length > 0 && !file.startsWith('test/tidy/planted/') && existsSync(file))
const sources = files.filter((file) => /^(src|adapters|conformance)\/(?!wire\/rpc\/gen\/).*\.ts$/.test(file))
const code = files.filter((file) =>
  /^(src|adapters|conformance|test|tools|load|examples)\/(?!wire\/rpc\/gen\/).*\.ts$/.test(file),
)

/** The room that a file belongs to. */
function layerOf(file: string): string {
  const [first, second, third] = file.split('/')
  if (first === 'test')
    return ['harness', 'fuzz', 'load', 'examples'].includes(second!) ? `test/${second}` : 'test'
  if (['tools', 'load', 'examples', 'conformance'].includes(first!)) return first!
  if (first === 'adapters') return `adapters/${second}`
  if (second === 'package-root.ts') return 'package-root'
  if (second === 'conformance-options.ts') return 'conformance-options'
  if (second === 'doors') return `doors/${third}`
  if (second === 'wire') return ['text', 'rpc', 'hadoop', 'sasl'].includes(third!) ? `wire/${third}` : 'wire'
  return second!
}

const WIRE = ['wire', 'wire/text', 'wire/rpc', 'wire/hadoop', 'wire/sasl']
/** The rooms that the server's package does not contain. */
const UNSHIPPED = [
  'conformance',
  'test',
  'test/harness',
  'test/fuzz',
  'test/load',
  'test/examples',
  'tools',
  'load',
  'examples',
]
const VOCABULARY = ['model', 'filter', ...WIRE]

/** The rooms that a room may import from, beside itself. */
function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  // The messages of the RPC are filters' wire form; text is what everybody reads.
  if (from === 'filter') return ['model', 'wire/text', 'wire/rpc'].includes(to)
  if (from === 'wire/rpc' && (to === 'wire/hadoop' || to === 'wire/sasl')) return true
  if (['wire/text', 'wire/rpc', 'wire/hadoop', 'wire/sasl'].includes(from)) return to === 'model'
  if (from === 'wire') return ['model', ...WIRE].includes(to)
  if (from === 'store') return VOCABULARY.includes(to)
  if (from === 'query') return ['model', 'filter', 'wire/text', 'wire/rpc'].includes(to)
  if (from === 'kerberos') return ['model', ...WIRE].includes(to)
  if (from === 'gateway') return [...VOCABULARY, 'query', 'store', 'kerberos'].includes(to)
  if (from.startsWith('doors/')) return [...VOCABULARY, 'store', 'gateway'].includes(to)
  if (from.startsWith('adapters/')) return [...VOCABULARY, 'query', 'store', 'kerberos'].includes(to)
  // Clients of the seam: they know no door and no store.
  if (from === 'shell' || from === 'transfer' || from === 'backup' || from === 'replication')
    return [...VOCABULARY, 'store'].includes(to)
  if (from === 'standby') return [...VOCABULARY, 'store', 'transfer', 'backup'].includes(to)
  // Bytes between clients and servers, of whatever kind.
  if (from === 'recording') return ['model', ...WIRE].includes(to)
  // A package of its own, which contains what it imports of the server's.
  if (from === 'conformance') return [...VOCABULARY, 'package-root', 'conformance-options'].includes(to)
  if (from === 'conformance-options') return to === 'model'
  const isShipped = !UNSHIPPED.includes(to)
  if (from === 'cli' || from === 'library') return isShipped
  if (from === 'test/harness') return isShipped || to === 'conformance'
  // The targets of the fuzzer use what tests have; its command lists the targets.
  if (from === 'test/fuzz' && to === 'test') return true
  if (from === 'tools' && to === 'test/fuzz') return true
  // What load draws, counts and judges has tests; what it measures has none.
  if (from === 'test/load' && (to === 'test' || to === 'load')) return true
  if (from === 'test/examples' && to === 'examples') return true
  if (['test/fuzz', 'test/load', 'test/examples', 'test', 'tools', 'load', 'examples'].includes(from))
    return isShipped || to === 'test/harness' || to === 'conformance'
  return false
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
  return found.map((match) => normalize(join(dirname(file), match[1]!)))
}

describe('the house', () => {
  test('has its layers import along the arrows only', () => {
    const wrong = code.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport(layerOf(file), layerOf(target)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('has no file that nothing imports', () => {
    const roots = new Set([
      'src/cli/main.ts',
      'src/library/start-tidegate.ts',
      'src/library/tidegate.ts',
      // For main.js, where tools/bundle.js has joined the modules.
      'src/cli/machine/joined-modules.ts',
      // For tools/start.js, which is `npm start`.
      'src/cli/npm-flags.ts',
      'conformance/src/main.ts',
      // Filters as text, for people and for tests: a server only reads them.
      'src/filter/json/print-filter-json.ts',
      'src/filter/language/print-filter-string.ts',
      // Parts of the conformance suite that only tools use.
      'conformance/src/runner/compatibility.ts',
      'conformance/src/runner/scenario-queue.ts',
    ])
    const imported = new Set(sources.flatMap(importsOf))
    const workers = sources.filter((file) => file.endsWith('-worker.ts'))
    for (const worker of workers) roots.add(worker)
    expect(sources.filter((file) => !imported.has(file) && !roots.has(file))).toEqual([])
  })

  test('has numbers that threads share in one module only', () => {
    const users = sources.filter((file) => /\bAtomics\b/.test(readFileSync(file, 'utf8')))
    expect(users).toEqual(['adapters/native/platform/thread-words.ts'])
  })

  test('names its files in kebab-case after what they hold', () => {
    const vague = /(^|\/)(utils?|helpers?|types|common|misc)\.ts$/
    expect(sources.filter((file) => vague.test(file) || !/^[a-z0-9/.-]+$/.test(file))).toEqual([])
  })

  test('switches no check off', () => {
    const off =
      /@ts-ignore|@ts-expect-error|@ts-nocheck|(?:eslint|oxlint)-disable|biome-ignore|\b(?:test|it|describe)\.(?:skip|only|todo)\(/
    const checked = files.filter((file) => file.endsWith('.ts') && file !== 'test/tidy/layers.test.ts')
    expect(checked.filter((file) => off.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})

describe('the documents', () => {
  const documents = files.filter((file) => file.endsWith('.md'))

  test('name files that exist', () => {
    const missing = documents.flatMap((document) =>
      [
        ...readFileSync(document, 'utf8').matchAll(
          /`((?:src|adapters|conformance|test|idl|load|tools|docs|examples)\/[\w./-]+)`/g,
        ),
      ]
        .map((match) => match[1]!)
        .filter((path) => !existsSync(path))
        .map((path) => `${document} names ${path}`),
    )
    expect(missing).toEqual([])
  })

  test('name cases that exist', () => {
    const ids = SCENARIOS.flatMap(({ cases }) => cases.map(({ id }) => id))
    const areas = new Set(ids.map((id) => id.slice(0, id.indexOf('-') + 1)))
    const differences = readFileSync('docs/differences-from-hbase.md', 'utf8')
    const named = [...differences.matchAll(/`([a-z0-9]+-[a-z0-9-]*\*?)`/g)]
      .map((match) => match[1]!)
      .filter((name) => areas.has(name.slice(0, name.indexOf('-') + 1)))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !ids.some((id) => isNamedBy(name, id)))).toEqual([])
  })

  test('and the sources name no machine', () => {
    const text = files.filter(
      (file) => /\.(ts|js|md|json|thrift|proto)$/.test(file) && !file.startsWith('test/tidy/'),
    )
    const machine = /\/work\/|\/root\/|registry\.npmjs|repo1?\.maven/
    expect(text.filter((file) => machine.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
