import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every test that a guarantee names is there', () => {
  const text = readFileSync('docs/guarantees.md', 'utf8')
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`(?:: ([^|`(\n]+?))?(?= \||[);]| allows|$)/gm)]
  expect(named.length).toBeGreaterThan(20)
  for (const [, file, names] of named) {
    const source = readFileSync(file!.startsWith('test/') ? file! : `test/adapters/native/${file}`, 'utf8')
    for (const name of names?.split('; ') ?? []) expect(source, file).toContain(name.trim())
  }
})
