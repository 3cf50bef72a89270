import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FLOORS } from '../tidy/floors.ts'

const pages = ['ARCHITECTURE.md', 'docs/engine.md'].map((path) => readFileSync(path, 'utf8')).join()

test('every file and folder that the pages name is there', () => {
  const named = [...pages.matchAll(/`((?:src|adapters|test|load|docs|tools)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  )
  expect(named.length).toBeGreaterThan(90)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('the pages name every folder of the engine', () => {
  const entries = readdirSync('adapters/native', { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `adapters/native/${name}`)
  expect(folders.filter((folder) => !pages.includes(`${folder}/`) && !pages.includes(`${folder}\``))).toEqual(
    [],
  )
})

test('the table of floors of the engine has the rows of the list of floors', () => {
  const rows = readFileSync('docs/engine.md', 'utf8')
    .split('\n')
    .filter((line) => /^\|.*`adapters\/native\/[^`]+`:? /.test(line))
  const floors = rows.map((row) => {
    const names = [...row.matchAll(/`adapters\/native\/([\w-]+)(\.ts)?[^`]*`/g)]
    return [...new Set(names.map(([, name, isFile]) => (isFile === undefined ? name! : '.')))].toSorted()
  })
  expect(floors).toEqual(FLOORS['adapters/native']!.map((folders) => folders.toSorted()))
})

test('every script that the documents name is in package.json', () => {
  const docs = readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const paths = ['README.md', 'CONTRIBUTING.md', 'load/README.md', ...docs]
  const text = paths.map((path) => readFileSync(path, 'utf8')).join()
  const named = [...text.matchAll(/npm run ([a-z\d:-]+)/g)].map((match) => match[1]!)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
})
