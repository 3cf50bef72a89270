// Runs at the end of `npm install` in a checkout: builds dist/. An installed package brings its dist/ with it.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
let compiler
try {
  compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
} catch {
  console.error(
    'tidegate: no TypeScript compiler here (installed without dev dependencies), so dist/ is not built.',
  )
  console.error('tidegate: run `npm install` with dev dependencies once, or take the published package.')
  process.exit(0)
}
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
process.exit(status ?? 1)
