// The program within the executable: it unpacks Tidegate beside the user's other caches once, and runs it from there. Node loads no files, threads or
// native add-ons out of an executable itself.
const { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { dirname, join, sep } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { brotliDecompressSync } = require('node:zlib')

const OWN_FOLDER = 'TIDEGATE_EXECUTABLE_FOLDER'

/** The version and the digest of the contents: another build has another folder. */
const name = getAsset('name', 'utf8')

/** Tidegate's folder, which is made where it is not there. */
function folder() {
  const failures = []
  for (const place of places()) {
    const path = join(place, name)
    try {
      if (!existsSync(path)) unpack(path)
      return path
    } catch (error) {
      failures.push(`${path}: ${error.message}`)
    }
  }
  process.stderr.write(
    `tidegate: the executable cannot unpack itself: ${failures.join('; ')}; name a folder where this user may write: ${OWN_FOLDER}=FOLDER\n`,
  )
  process.exit(1)
}

/** The stated place alone, or else the user's cache. A user without a home, as of a service, has a temporary folder of its own. */
function places() {
  const { [OWN_FOLDER]: stated, XDG_CACHE_HOME: caches, HOME: home } = process.env
  if (stated) return [stated]
  const user = process.getuid?.() ?? 'user'
  return [
    ...(caches || home ? [join(caches || join(homedir(), '.cache'), 'tidegate')] : []),
    join(tmpdir(), `tidegate-${user}`),
  ]
}

/** Under another name first: a second start meanwhile finds a whole folder or none. */
function unpack(path) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  refuseOthers(dirname(path))
  const unfinished = `${path}.${process.pid}`
  const packed = brotliDecompressSync(Buffer.from(getRawAsset('files')))
  const headBytes = packed.readUInt32BE(0)
  const files = JSON.parse(packed.subarray(4, 4 + headBytes).toString())
  let from = 4 + headBytes
  for (const { path: file, bytes, mode } of files) {
    const target = join(unfinished, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, packed.subarray(from, from + bytes))
    chmodSync(target, mode)
    from += bytes
  }
  try {
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
}

/** Code from a folder in which another user may write would be that user's. */
function refuseOthers(path) {
  const { statSync } = require('node:fs')
  const { uid, mode } = statSync(path)
  if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)) return
  throw new Error('it belongs to another user, or others may write there')
}

const root = folder()
refuseOthers(dirname(root))
// Processes that Tidegate starts of itself name the module that they run.
const [, , first, ...others] = process.argv
const module_ = first !== undefined && first.startsWith(root + sep) ? first : undefined
if (module_ !== undefined) process.argv = [process.execPath, module_, ...others]
createRequire(join(root, 'start.cjs'))('./start.cjs').start(
  module_ ?? join(root, 'dist', 'src', 'cli', 'main.js'),
)
