/** The files of deployment name options, ports and pages that there are. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { addServeOptions } from '../../src/cli/settings/stated-values.ts'
import { imageSettings } from '../harness/container/dockerfile.ts'

const options = addServeOptions(new Command('serve')).options
const image = imageSettings(readFileSync('Dockerfile', 'utf8'))
const manifests = readdirSync('deploy/kubernetes').map((name) => `deploy/kubernetes/${name}`)
const PORTS = ['rest', 'thrift', 'rpc', 'master', 'zookeeper', 'web']

function documents(path: string): readonly unknown[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as unknown
  })
}

/** Every value that stands below `key`, at any depth. */
function below(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...below(inner, key),
  ])
}

function variablesOf(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(/\bTIDEGATE_[A-Z_]+/g)].map(([name]) => name)
}

test.each(['Dockerfile', 'compose.yaml', ...manifests])(
  'the variables in %s are those of options',
  (path) => {
    const known = options.map(({ envVar }) => envVar)
    const named = variablesOf(path)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  },
)

test('the image exposes the default ports of all doors', () => {
  const defaults = PORTS.map((door) => Number(options.find(({ long }) => long === `--${door}`)?.defaultValue))
  expect(image.ports).toEqual(defaults)
})

test('the image runs as a user without rights, and keeps its data in its volume', () => {
  expect(image.user).toBe('node')
  expect(image.environment['TIDEGATE_STORE']).toBe(`native:${image.volumes[0]}/store`)
  expect(image.environment['TIDEGATE_INSECURE']).toBeUndefined()
})

test('what the image copies is there', () => {
  const sources = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.*) \S+$/gm)]
  const missing = sources.flatMap(([, paths]) => paths!.split(' ')).filter((path) => !existsSync(path))
  expect(sources.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

test('what the package consists of is in the folder in which the image packs it', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  )
  const wanted = files
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => pattern.split('/')[0]!)
    .filter((top) => top !== 'dist')
  expect(wanted).toContain('console')
  expect(wanted.filter((top) => !copied.includes(top))).toEqual([])
})

test('compose publishes ports on the loopback alone, since its server knows no accounts', () => {
  const [compose] = documents('compose.yaml')
  const published = below(compose, 'ports').flat() as readonly string[]
  expect(published.map((port) => port.split(':')[0])).toEqual(published.map(() => '127.0.0.1'))
  expect(published.map((port) => Number(port.split(':')[2]))).toEqual(image.ports)
})

test.each(manifests)('%s: selectors, probes and mounts fit together', (path) => {
  const all = documents(path)
  const selectors = below(all, 'selector').map((selector) => JSON.stringify(selector))
  const names = new Set(selectors.map((text) => /"app":"([^"]+)"/.exec(text)?.[1]))
  expect(names.size).toBe(1)
  const probes = below(all, 'httpGet') as readonly { readonly path: string; readonly scheme: string }[]
  expect(probes.map((probe) => probe.path)).toEqual(['/health/live', '/health/live', '/health/ready'])
  // A certificate is set, so that the web door speaks TLS.
  expect(probes.map(({ scheme }) => scheme)).toEqual(['HTTPS', 'HTTPS', 'HTTPS'])
  const mounts = (below(all, 'volumeMounts').flat() as { readonly name: string }[]).map(({ name }) => name)
  const pods = below(all, 'volumes').flat() as { readonly name: string }[]
  const claims = below(all, 'volumeClaimTemplates').flat() as {
    readonly metadata: { readonly name: string }
  }[]
  expect(mounts.sort()).toEqual(
    [...pods.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)].sort(),
  )
})
