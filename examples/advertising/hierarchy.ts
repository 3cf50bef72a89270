/**
 * Advertisers, their campaigns, ad groups and ads: made up, of any size, and the same each time. Four campaigns to an advertiser,
 * five groups to a campaign, five ads to a group, all of a level numbered through from 1, so that the parents of an ad follow from its number.
 */

import { key, TABLES, type TableName } from './tables.ts'

export const ADS_PER_GROUP: number = 5
export const ADS_PER_CAMPAIGN: number = 5 * ADS_PER_GROUP
export const ADS_PER_ADVERTISER: number = 4 * ADS_PER_CAMPAIGN

/** The ids of an ad and of its parents, from the advertiser down. */
export type Path = readonly [advertiser: number, campaign: number, group: number, ad: number]

export function pathOf(ad: number): Path {
  const numberOf = (adsInIt: number): number => Math.floor((ad - 1) / adsInIt) + 1
  return [numberOf(ADS_PER_ADVERTISER), numberOf(ADS_PER_CAMPAIGN), numberOf(ADS_PER_GROUP), ad]
}

/** Every third ad is switched off by itself. */
export function isOn(ad: number): boolean {
  return ad % 3 !== 0
}

/** The value of a cell `d:m`. */
export interface AdObject {
  readonly name: string
  /** The state that its owner has set. */
  readonly status?: 'ON' | 'OFF'
  /** Whether it is shown: its own status and its advertiser's, so that a reader needs no second get. */
  readonly serving?: boolean
  readonly [more: string]: unknown
}

export interface StoredObject {
  readonly table: TableName
  readonly key: string
  readonly object: AdObject
}

const LANGUAGES = ['de', 'en', 'fr', 'it', 'ja']

/** All objects of all nine tables for the first so many ads. */
export function* hierarchy(ads: number): Generator<StoredObject> {
  for (const [i, code] of LANGUAGES.entries()) {
    yield { table: TABLES.domainObject, key: key('LANGUAGE', i + 1), object: { name: code } }
  }
  for (let ad = 1; ad <= ads; ad++) {
    const first = ad - 1
    if (first % ADS_PER_ADVERTISER === 0) yield* advertiser(ad)
    if (first % ADS_PER_CAMPAIGN === 0) yield* campaign(ad)
    if (first % ADS_PER_GROUP === 0) yield* group(ad)
    yield* singleAd(ad)
  }
}

function* advertiser(firstAd: number): Generator<StoredObject> {
  const [id] = pathOf(firstAd)
  const object = { name: `advertiser ${id}`, status: 'ON', serving: true } as const
  yield { table: TABLES.advertiser, key: key(id), object }
  yield { table: TABLES.offer, key: key(id, id), object: { name: `offer ${id}`, discount: id % 50 } }
}

function* campaign(firstAd: number): Generator<StoredObject> {
  const [advertiserId, id] = pathOf(firstAd)
  const goal = id % 2 === 0 ? 'VISIT_WEB' : 'INSTALL_APP'
  const object = { name: `campaign ${id}`, goal, status: 'ON', serving: true } as const
  yield { table: TABLES.campaign, key: key(advertiserId, id), object }
  yield parentOf('CAMPAIGN', id, key(advertiserId, id))
}

function* group(firstAd: number): Generator<StoredObject> {
  const [advertiserId, campaignId, id] = pathOf(firstAd)
  const ids = key(advertiserId, campaignId, id)
  yield { table: TABLES.group, key: ids, object: { name: `group ${id}`, status: 'ON', serving: true } }
  yield { table: TABLES.targeting, key: key(ids, id), object: { name: 'age', from: 18, to: 20 + (id % 50) } }
  yield parentOf('ADGROUP', id, ids)
}

function* singleAd(ad: number): Generator<StoredObject> {
  const ids = key(...pathOf(ad))
  yield { table: TABLES.ad, key: ids, object: adObject(ad) }
  yield parentOf('AD', ad, ids)
  if (ad % 10 !== 0) return
  const object = { name: `call button ${ad}`, status: 'ON', serving: true } as const
  yield { table: TABLES.extension, key: key(ids, ad), object }
}

export function adObject(ad: number): AdObject {
  return { name: `ad ${ad}`, status: isOn(ad) ? 'ON' : 'OFF', serving: isOn(ad), bid: 100 + (ad % 100) }
}

/** Where to look for an object of which only type and id are known. */
function parentOf(type: string, id: number, ids: string): StoredObject {
  return { table: TABLES.parent, key: key(type, id), object: { name: `${type} ${id}`, key: ids } }
}
