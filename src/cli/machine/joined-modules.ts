/**
 * Loads the joined modules (`tools/bundle.js`), those of the command with the code that V8 compiled of them for an earlier start: compiling is two fifths
 * of a start. The code is kept in dist/compiled: a program that can write there could as well write the modules beside it. A file counts only for
 * the same source, Node and machine, and only undamaged; where none can be read or written, V8 compiles, as without.
 */

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { allocateYoung } from './v8-flags.ts'

/** A process that lives longer serves: it keeps the code of a whole start, and short commands have no work with it. */
const SERVING_MS = 1000
/** Below, compiling takes less time than a file. */
const WORTH_CHARACTERS = 50_000
const PARAMETERS = 'exports, require, module, __filename, __dirname, folderUrl, importModule'

type Module = { exports: object }
type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: Module,
  filename: string,
  folder: string,
  folderUrl: URL,
  importModule: (id: string) => Promise<unknown>,
) => void

export class JoinedModules {
  readonly #folder: string
  readonly #codeFolder: string | undefined
  readonly #loaded: Map<string, Module> = new Map()
  readonly #keep: (() => void)[] = []

  /** `folder`: of the joined modules; `codeFolder`: for V8's code of them, which is neither read nor kept without. */
  constructor(folder: string, codeFolder?: string) {
    this.#folder = folder
    this.#codeFolder = codeFolder
  }

  load(name: string): object {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known.exports
    const module: Module = { exports: {} }
    this.#loaded.set(name, module)
    const file = join(this.#folder, name)
    const body = this.#compiled(file).runInThisContext() as Body
    const outer = createRequire(file)
    const require = (id: string): unknown => (id.startsWith('./') ? this.load(id.slice(2)) : outer(id))
    const folderUrl = pathToFileURL(`${this.#folder}/`)
    body(module.exports, require, module, file, this.#folder, folderUrl, (id) => import(id))
    return module.exports
  }

  /** Writes the code of modules that were compiled anew, with all their functions that have run so far. */
  keepCode(): void {
    for (const keep of this.#keep.splice(0)) keep()
  }

  #compiled(file: string): Script {
    const source = readFileSync(file, 'utf8')
    const text = `(function (${PARAMETERS}) { 'use strict'; ${source}\n})`
    const folder = this.#codeFolder
    if (folder === undefined || source.length < WORTH_CHARACTERS) return new Script(text, { filename: file })
    const codeFile = join(folder, `${basename(file)}.${process.version}-${process.arch}`)
    const cachedData = readCode(codeFile, source)
    const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#keep.push(() => writeCode(codeFile, source, script.createCachedData()))
    }
    return script
  }
}

function digest(source: string, code: Buffer): Buffer {
  return createHash('sha256')
    .update(`${process.version} ${process.arch}\n`)
    .update(source)
    .update(code)
    .digest()
}

const DIGEST_BYTES = 32

function readCode(file: string, source: string): Buffer | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return undefined
  }
  const code = bytes.subarray(DIGEST_BYTES)
  return digest(source, code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined
}

/** Under another name first: a server that starts meanwhile reads a whole file or none. */
function writeCode(file: string, source: string, code: Buffer): void {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, Buffer.concat([digest(source, code), code]))
    renameSync(unfinished, file)
  } catch {
    removeIfThere(unfinished)
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Nothing was written, or nothing can be removed.
  }
}

const DIST = new URL('../../../', import.meta.url)
const BUNDLE = fileURLToPath(new URL('bundle', DIST))
const CODE = fileURLToPath(new URL('compiled', DIST))

/** The part of program.ts that main.ts runs. */
interface Program {
  readonly runProgram: () => Promise<void>
}

/** Program.ts, of the modules that the build has joined in dist/bundle. */
export function loadProgram(): Program {
  // V8 takes code only under the flags under which it was compiled.
  allocateYoung()
  const joined = new JoinedModules(BUNDLE, CODE)
  const { runProgram } = joined.load('program.cjs') as Program
  return {
    runProgram: async () => {
      await runProgram()
      setTimeout(() => joined.keepCode(), SERVING_MS).unref()
    },
  }
}

/** Runs the program of a thread that serves connections, of the joined modules. The process has set V8's flags. */
export function runDoorThread(): void {
  new JoinedModules(BUNDLE, CODE).load('door-thread.cjs')
}

/**
 * The library's module, of the joined ones; undefined where the build has joined none. V8's flags are those of another program: code that was
 * compiled under them would not fit the command.
 */
export function loadLibrary(): object | undefined {
  const name = 'library.cjs'
  return existsSync(join(BUNDLE, name)) ? new JoinedModules(BUNDLE).load(name) : undefined
}
