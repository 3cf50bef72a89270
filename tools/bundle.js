// Joins the modules in dist/ into few files: a start reads and links dozens of files in place of a thousand, which takes less time and
// memory, and the package has each module once. The files of the command, of the library and of the threads that serve connections are
// CommonJS, since Node keeps V8's code of no ES modules before version 22: src/cli/machine/joined-modules.ts loads them. The small
// programs of the other threads are ES modules of their own: each has a twentieth of the code. main.js leads to the joined modules, and a
// run of the compiler puts back the one that leads to the modules.
// The conformance suite is joined too, whole: its package brings no other. Run as a script it ends each build: it makes main.js a
// program first.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MAIN = 'src/cli/main.js'
const PROGRAM = 'src/cli/program.js'
const BUNDLE = 'bundle'
/** V8's code of former joined modules. */
const COMPILED = 'compiled'
const LICENCES = 'LICENSES.txt'
/** The module that main.js loads: as the compiler writes it, and as it is with the bundle. */
const LOADS_MODULES = "await import('./program.js')"
const LOADS_BUNDLE = "(await import('./machine/joined-modules.js')).loadProgram()"
/** The entries of the joined modules, by the names of their files. */
const PROGRAMS = {
  program: PROGRAM,
  library: 'src/library/start-tidegate.js',
  'door-thread': 'src/cli/serve/threads/door-thread-worker.js',
}
/** The folder, in that of the bundle, of the programs of threads; and the module of each. */
const THREADS = 'threads'
const THREAD_PROGRAMS = {
  'door-thread-worker': 'src/cli/serve/threads/joined-door-thread-worker.js',
  'gss-worker': 'src/kerberos/gss/gss-worker.js',
  'decode-worker': 'src/gateway/requests/decoding/decode-worker.js',
  'body-task': 'src/doors/rest/decoding/body-task.js',
  'scanner-task': 'src/doors/rest/decoding/scanner-task.js',
  'call-task': 'src/doors/thrift/decoding/call-task.js',
  'file-worker': 'adapters/native/background/file-worker.js',
  'check-worker': 'adapters/native/inspect/check-worker.js',
}
/** Comments of code would be a fifth of the files; those of licences stay. */
const OUTPUT = { format: 'esm', chunkFileNames: '[name]-[hash].js', comments: { jsdoc: false } }
/** Packages of many small modules of plain JavaScript. The others stay outside: they find files beside their own. */
const JOINED = ['hono', '@hono/node-server', '@bufbuild/protobuf', 'commander', 'jose']

/**
 * Does nothing where the bundler is not installed: dist/ works without.
 *
 * @param {string} root the folder with package.json
 * @returns {Promise<boolean>} whether main.js leads to the bundle now
 */
export async function bundle(root = ROOT) {
  const dist = join(root, 'dist')
  const main = existsSync(join(dist, MAIN)) ? readFileSync(join(dist, MAIN), 'utf8') : ''
  const bundler = await findBundler(root)
  if (bundler === undefined || !(main.includes(LOADS_MODULES) || main.includes(LOADS_BUNDLE))) return false
  const build = await bundler.rolldown({
    cwd: root,
    input: inputs(dist, PROGRAMS),
    platform: 'node',
    external: (id) => isOutside(id, JOINED),
    plugins: [ownAddresses(dist, 'joined')],
    logLevel: 'warn',
    // The engine is loaded when it is asked for where the modules are not joined.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir: join(dist, BUNDLE),
    ...OUTPUT,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    dynamicImportInCjs: false,
    codeSplitting: {
      groups: [{ name: 'serve', test: (id) => LOADED_BY_SERVER.some((file) => id === join(dist, file)) }],
    },
  })
  await build.close()
  writeAscii(join(dist, BUNDLE), output)
  await bundleThreads(bundler, root)
  writeFileSync(join(dist, BUNDLE, LICENCES), JOINED.map((name) => licenceOf(root, name)).join('\n'))
  writeFileSync(join(dist, MAIN), main.replace(LOADS_MODULES, LOADS_BUNDLE))
  // Only now: a command that starts meanwhile finds all files of one bundle.
  removeOthers(join(dist, BUNDLE), [LICENCES, THREADS, ...output.map(({ fileName }) => fileName)])
  rmSync(join(dist, COMPILED), { recursive: true, force: true })
  return true
}

async function bundleThreads(bundler, root) {
  const dist = join(root, 'dist')
  const dir = join(dist, BUNDLE, THREADS)
  const input = inputs(dist, THREAD_PROGRAMS)
  if (Object.keys(input).length === 0) return
  const build = await bundler.rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: (id) => isOutside(id, JOINED),
    plugins: [ownAddresses(dist, 'thread')],
    logLevel: 'warn',
  })
  const { output } = await build.write({ dir, ...OUTPUT, entryFileNames: '[name].js' })
  await build.close()
  writeAscii(dir, output)
  removeOthers(
    dir,
    output.map(({ fileName }) => fileName),
  )
}

/** The entries that the compiler has made: a test joins fewer. */
function inputs(dist, entries) {
  const files = Object.entries(entries).map(([name, file]) => [name, join(dist, file)])
  return Object.fromEntries(files.filter(([, file]) => existsSync(file)))
}

function writeAscii(folder, output) {
  for (const { fileName } of output) {
    const file = join(folder, fileName)
    writeFileSync(file, asAscii(readFileSync(file, 'utf8')))
  }
}

/** The code of the package `tidegate-conformance`: the suite and all that it imports of Tidegate and of packages. */
const SUITE = { index: 'conformance/src/command.js', main: 'conformance/src/main.js' }
/** The packages among them. */
const JOINED_IN_SUITE = ['@bufbuild/protobuf', 'commander']
/** The descriptions of Thrift's services, which the suite reads. */
const SUITE_IDL = ['idl/thrift1.thrift', 'idl/thrift2.thrift']

/**
 * Does nothing where the bundler is not installed: the package then lacks its code.
 *
 * @param {string} root the folder with package.json
 * @returns {Promise<boolean>} whether the package has its code now
 */
export async function bundleConformance(root = ROOT) {
  const dist = join(root, 'dist')
  const bundler = await findBundler(root)
  if (bundler === undefined || !existsSync(join(dist, SUITE.main))) return false
  const folder = join(root, 'conformance', 'dist')
  const input = Object.fromEntries(Object.entries(SUITE).map(([name, file]) => [name, join(dist, file)]))
  const build = await bundler.rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: (id) => isOutside(id, JOINED_IN_SUITE),
    logLevel: 'warn',
  })
  const { output } = await build.write({ dir: folder, ...OUTPUT })
  await build.close()
  chmodSync(join(folder, 'main.js'), 0o755)
  writeFileSync(join(folder, LICENCES), JOINED_IN_SUITE.map((name) => licenceOf(root, name)).join('\n'))
  removeOthers(folder, [LICENCES, ...output.map(({ fileName }) => fileName)])
  for (const file of SUITE_IDL) cpSync(join(root, file), join(folder, file))
  return true
}

function removeOthers(folder, names) {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true })
  }
}

/** Most servers load these, and all that they import: as one file, within which calls need no look-up of exports. */
const LOADED_BY_SERVER = [
  'src/cli/serve/serve.js',
  'src/doors/rest/rest-door.js',
  'src/doors/rpc/rpc-door.js',
  'src/doors/thrift/thrift-door.js',
  'src/doors/thrift/service/thrift-services.js',
  'src/doors/zookeeper/zookeeper-door.js',
  'adapters/native/open-native-store.js',
]

/**
 * @param {string} id
 * @param {readonly string[]} joined the packages that are inside
 */
function isOutside(id, joined) {
  if (id.startsWith('.') || id.startsWith('/') || id.startsWith('file:')) return false
  return !joined.some((name) => id === name || id.startsWith(`${name}/`))
}

/** One letter beyond Latin 1 would have V8 keep two bytes of each letter of its file. */
function asAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, escaped)
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * A module that asks for its own address gets that of its file in dist/, beside which its neighbours are; one that starts a thread gets the
 * address of the thread's joined program. An import by a variable is the loader's to make in CommonJS. `folderUrl` and `importModule` are
 * parameters of each such file: src/cli/machine/joined-modules.ts.
 *
 * @param {string} dist
 * @param {'joined' | 'thread'} kind of the files that are written
 */
function ownAddresses(dist, kind) {
  const word = 'import.meta.url'
  const importsVariable = /\bimport\((?=[A-Za-z_])/g
  const isJoined = kind === 'joined'
  const from = isJoined ? join(dist, BUNDLE) : join(dist, BUNDLE, THREADS)
  const base = isJoined ? 'folderUrl' : word
  const threads = isJoined ? `./${THREADS}/` : './'
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (!id.startsWith(dist)) return null
      const pieces = code.split(STARTS_THREAD)
      const file = relative(from, id).split(sep).join('/')
      const own = (piece) => piece.replaceAll(word, `new URL('${file}', ${base}).href`)
      let text = own(pieces[0])
      for (let index = 1; index < pieces.length; index += 4) {
        const [call, name, ending = '', rest] = pieces.slice(index)
        if (!(name in THREAD_PROGRAMS))
          throw new Error(`tools/bundle.js knows no program ${name} of a thread: ${id}`)
        text += `${call}'${threads}${name}${ending}', ${base}${own(rest)}`
      }
      return isJoined ? text.replaceAll(importsVariable, 'importModule(') : text
    },
  }
}

/** The address of a thread's program beside the module, in parts: the call, the name and the ending. */
const STARTS_THREAD =
  /(threadProgram\(|new URL\()'(?:\.\/)?([a-z-]+-(?:worker|task))(\.js)?', import\.meta\.url/

async function findBundler(root) {
  let manifest
  try {
    manifest = createRequire(join(root, 'package.json')).resolve('rolldown/package.json')
  } catch {
    return undefined
  }
  try {
    return await import(join(dirname(manifest), 'dist', 'index.mjs'))
  } catch (error) {
    console.error(`tidegate: dist/ works, but starts slower: rolldown does not load: ${error.message}`)
    return undefined
  }
}

function licenceOf(root, name) {
  const folder = join(root, 'node_modules', name)
  const { license, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = join(folder, 'LICENSE')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return `${name} ${version}: ${license}\n\n${text}`
}

/** Lets the system run main.js by its name: npm does so only when it links it first, and the compiler writes it anew. */
function makeMainAProgram(root = ROOT) {
  const main = join(root, 'dist', MAIN)
  if (existsSync(main)) chmodSync(main, 0o755)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2]
  makeMainAProgram(root)
  await bundle(root)
  await bundleConformance(root)
}
