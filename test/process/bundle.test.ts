/** The command's modules, joined: they find the files beside them, and main.js leads to nothing that is gone. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const ROOT = fileURLToPath(packageRoot())
const BUNDLER = join(ROOT, 'tools/bundle.js')
const MAIN = 'dist/src/cli/main.js'
const LOADER = ['dist/src/cli/machine/joined-modules.js', 'dist/src/cli/machine/v8-flags.js']

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** The work of the compiler: a command that says the word, which a file beside one of its modules has. */
function compile(root: string, word: string): void {
  write(root, 'package.json', '{"type":"module"}')
  write(root, MAIN, "const { runProgram } = await import('./program.js');\nawait runProgram();\n")
  for (const file of LOADER) write(root, file, readFileSync(join(ROOT, file), 'utf8'))
  write(root, 'dist/src/wire/beside.txt', word)
  const read = "readFileSync(new URL('./beside.txt', import.meta.url), 'utf8')"
  write(
    root,
    'dist/src/wire/words.js',
    `import { readFileSync } from 'node:fs'\nexport const ${word} = ${read}\n`,
  )
  const say = `export const runProgram = async () => console.log((await import('../wire/words.js')).${word})\n`
  write(root, 'dist/src/cli/program.js', say)
}

function joinedAndRun(root: string): string {
  execFileSync(process.execPath, [BUNDLER, root])
  return execFileSync(process.execPath, [join(root, MAIN)], { encoding: 'utf8' }).trim()
}

test('modules find their neighbours, and a new bundle leaves none of the old', () =>
  inTemporaryFolder(async (root) => {
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    compile(root, 'first')
    expect(joinedAndRun(root)).toBe('first')
    expect(readFileSync(join(root, MAIN), 'utf8')).toContain('joined-modules.js')
    const before = readdirSync(join(root, 'dist/bundle'))
    compile(root, 'second')
    expect(joinedAndRun(root)).toBe('second')
    // Without a run of the compiler between.
    expect(joinedAndRun(root)).toBe('second')
    expect(readdirSync(join(root, 'dist/bundle')).length).toBe(before.length)
  }))

test('without the bundler the modules run as they are', () =>
  inTemporaryFolder(async (root) => {
    compile(root, 'alone')
    expect(joinedAndRun(root)).toBe('alone')
    expect(existsSync(join(root, 'dist/bundle'))).toBe(false)
  }))
