import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectedDifferences } from './compare-answers.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compare-answers-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

it('expects differences of the program, everywhere or at the target that they are stated for', () => {
  const file = join(folder, 'expected-differences.json')
  const listed = [
    { reason: 'r', program: 'p', steps: ['a', 'b'] },
    { reason: 'r', program: 'p', target: 'proxy', steps: ['c'] },
    { reason: 'r', program: 'q', steps: ['d'] },
  ]
  writeFileSync(file, JSON.stringify(listed))
  expect([...expectedDifferences(file, 'p', 'proxy')]).toEqual(['a', 'b', 'c'])
  expect([...expectedDifferences(file, 'p', 'tidegate')]).toEqual(['a', 'b'])
  expect([...expectedDifferences(join(folder, 'none'), 'p', 'proxy')]).toEqual([])
})
