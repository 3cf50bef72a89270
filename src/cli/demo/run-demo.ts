/** Serves as `tidegate serve` does, and loads the cities before it reports that it is ready. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { reasonOf } from '../../model/error-reason.ts'
import type { Store } from '../../store/store.ts'
import { StartError } from '../failures/start-error.ts'
import { firstSteps } from '../serve/first-steps.ts'
import { aloneRole, serve } from '../serve/serve.ts'
import { serveSettings } from '../settings/serve-options.ts'
import { settingNames } from '../settings/setting-names.ts'
import { addServeOptions, readValues } from '../settings/stated-values.ts'
import { printProgress } from '../terminal/print-lines.ts'
import { readCities } from './demo-cities.ts'
import { loadCities, TABLE } from './load-cities.ts'

/** The cities of a canton, as text. */
const ASKED = { path: `/${TABLE}/CH%2FZH%2F*`, accept: 'application/json;cells=text' }

/** `args`: flags of serve. `data`: the folder that keeps the data; undefined: a temporary one. Throws as `serve`. */
export async function runDemo(args: readonly string[], data: string | undefined): Promise<void> {
  const folder = data ?? temporaryFolder()
  const command = addServeOptions(new Command('serve').exitOverride(), false)
  const flags = ['--store', `native:${folder}`, '--console-writes', ...args]
  const stated = readValues(command.parse(flags, { from: 'user' }))
  const settings = serveSettings(stated)
  const role = aloneRole(settings, settingNames(stated), (addresses) => {
    const end =
      data === undefined
        ? `${folder} goes at the end; --data FOLDER keeps the data`
        : `${folder} has the data`
    printProgress(['', ...firstSteps(settings, addresses, ASKED), `Data     ${end}`, ''].join('\n'))
  })
  await serve(settings, settingNames(stated), {
    ...role,
    ready: async (server, addresses) => {
      await load(server.store).catch((error: unknown) => {
        throw new StartError(`the cities could not be loaded: ${reasonOf(error)}`, { cause: error })
      })
      await role.ready(server, addresses)
    },
    onStop: (stop) => {
      role.onStop(stop)
      // A demo whose terminal has gone has no user.
      process.on('SIGHUP', () => stop('SIGHUP'))
    },
  })
}

function temporaryFolder(): string {
  const folder = madeFolder(join(tmpdir(), 'tidegate-demo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Throws StartError. */
function madeFolder(prefix: string): string {
  try {
    return mkdtempSync(prefix)
  } catch (error) {
    throw new StartError(
      `no temporary folder can be made (${reasonOf(error)}): name a folder with --data FOLDER`,
      {
        cause: error,
      },
    )
  }
}

async function load(store: Store): Promise<void> {
  const since = performance.now()
  let count = 0
  const isNew = await loadCities(store, () => {
    const cities = readCities()
    count = cities.length
    return cities
  })
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  const line = isNew
    ? `the table ${TABLE} has ${count.toLocaleString('en')} rows, loaded in ${seconds} s`
    : `the folder has a table ${TABLE} already: it stays as it is`
  printProgress(line)
}
