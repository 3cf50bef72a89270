/**
 * Ads are read far more often than advertisers change, so each object says itself whether it is served. The price: who switches an
 * advertiser off or on must change everything below it. Four prefix scans find that, and a batch of puts for each table changes it.
 */

import { newCell, objectOf } from '../ad-tables.ts'
import { ADS_PER_ADVERTISER, isOn } from '../hierarchy.ts'
import { TABLES } from '../tables.ts'
import type { Loaded, Pattern } from './pattern.ts'

const ADVERTISER = 2
const BELOW = [TABLES.campaign, TABLES.group, TABLES.ad, TABLES.extension]

/** Returns how many objects there are below the advertiser. */
async function switchAdvertiser({ tables }: Loaded, state: 'ON' | 'OFF'): Promise<number> {
  let count = 0
  for (const name of BELOW) {
    const found = await tables.of(name).scanPrefix(`${ADVERTISER},`)
    const changed = found.map((cell) => {
      const object = objectOf(cell)
      return newCell(cell.key, { ...object, serving: state === 'ON' && object.status === 'ON' })
    })
    await tables.of(name).put(changed)
    count += changed.length
  }
  return count
}

async function servedAds({ tables }: Loaded): Promise<number> {
  const ads = await tables.of(TABLES.ad).scanPrefix(`${ADVERTISER},`)
  return ads.filter((ad) => objectOf(ad).serving).length
}

export const switchAdvertiserOffAndOn: Pattern = {
  question: `Advertiser ${ADVERTISER} is switched off, and on again: which of its ads are served?`,
  run: async (loaded) => {
    const { report } = loaded
    const before = await servedAds(loaded)
    const switched = await report.timed(
      (count) => `${count} objects switched off`,
      () => switchAdvertiser(loaded, 'OFF'),
    )
    const off = await servedAds(loaded)
    await report.timed(
      (count) => `${count} objects switched on`,
      () => switchAdvertiser(loaded, 'ON'),
    )
    const on = await servedAds(loaded)
    report.say(`served ads: ${before} before, ${off} while it was off, ${on} after`)

    const first = (ADVERTISER - 1) * ADS_PER_ADVERTISER + 1
    const served = Array.from({ length: ADS_PER_ADVERTISER }, (_, i) => isOn(first + i)).filter(
      Boolean,
    ).length
    report.check('4 campaigns, 20 groups, 100 ads, 10 extensions', switched, 4 + 20 + 100 + 10)
    report.check('ads that were off by themselves stay off', [before, off, on], [served, 0, served])
  },
}
