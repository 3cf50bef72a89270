import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('ARCHITECTURE.md', 'utf8')

test('every file and folder that the page names is there', () => {
  const named = [...page.matchAll(/`((?:src|adapters|test|load|docs|tools)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  )
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('the page names every folder of the engine', () => {
  const entries = readdirSync('adapters/native', { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `adapters/native/${name}`)
  expect(folders.filter((folder) => !page.includes(`${folder}/`) && !page.includes(`${folder}\``))).toEqual(
    [],
  )
})

test('every script that the documents name is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const paths = ['README.md', 'CONTRIBUTING.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
  const text = paths.map((path) => readFileSync(path, 'utf8')).join()
  const named = [...text.matchAll(/npm run ([a-z\d:-]+)/g)].map((match) => match[1]!)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
})
