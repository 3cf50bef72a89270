import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FLOORS } from './floors.ts'

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'adapters', 'conformance/src'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file.endsWith('.ts') && existsSync(file))

interface Arrow {
  readonly from: string
  readonly to: string
  readonly importer: string
  readonly imported: string
}

/** The imports from one folder of a part to another. */
function arrowsWithin(part: string): Arrow[] {
  const inside = sources.filter((file) => file.startsWith(`${part}/`))
  return inside.flatMap((importer) =>
    [...readFileSync(importer, 'utf8').matchAll(IMPORT)].flatMap((match) => {
      const imported = normalize(join(dirname(importer), match[1]!))
      if (!imported.startsWith(`${part}/`)) return []
      const arrow = { from: folderOf(part, importer), to: folderOf(part, imported), importer, imported }
      return arrow.from === arrow.to ? [] : [arrow]
    }),
  )
}

/** The folder of a part that a file lies in; `.` for a file of the part itself. */
function folderOf(part: string, file: string): string {
  const names = file.slice(part.length + 1).split('/')
  return names.length === 1 ? '.' : names[0]!
}

describe.each(Object.entries(FLOORS))('%s', (part, floors) => {
  const floorOf = new Map(
    floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)),
  )

  test('has each of its folders on one floor', () => {
    const folders = new Set(
      sources.filter((file) => file.startsWith(`${part}/`)).map((file) => folderOf(part, file)),
    )
    expect([...floorOf.keys()].toSorted()).toEqual([...folders].toSorted())
    expect(floors.flat()).toHaveLength(floorOf.size)
  })

  test('imports downwards only', () => {
    const wrong = arrowsWithin(part)
      .filter(({ from, to }) => floorOf.get(from)! <= floorOf.get(to)!)
      .map(({ importer, imported }) => `${importer} imports ${imported}`)
    expect(wrong).toEqual([])
  })
})
