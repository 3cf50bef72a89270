/**
 * The files of deployment, read by programs of other people: Kubernetes' own schemas by PyPI's kubernetes-validate, which has them in it,
 * and compose.yaml by docker compose, which needs no daemon for that.
 */

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { missingPython } from '../client-transcripts/native-packages.ts'
import { pythonPackages } from '../python-packages.ts'

/** With the schemas of Kubernetes 1.37 and of the releases before it. */
const VALIDATOR = 'kubernetes-validate==1.37.0'
/** The first release in which all of a manifest is stable, and the last one that the validator knows. */
export const KUBERNETES_RELEASES: readonly string[] = ['1.29', '1.37']
const COMPOSE: readonly (readonly string[])[] = [['docker', 'compose'], ['docker-compose']]

export interface FileOutcome {
  readonly name: string
  /** Undefined: the file is valid. */
  readonly trouble: string | undefined
  /** The file was not read: what this machine lacks. */
  readonly missing?: string
}

export function checkDeploymentFiles(root: string): FileOutcome[] {
  const folder = join(root, 'deploy', 'kubernetes')
  const manifests = readdirSync(folder).map((name) => join(folder, name))
  return [...checkManifests(manifests), checkCompose(join(root, 'compose.yaml'))]
}

export function checkManifests(paths: readonly string[]): FileOutcome[] {
  const missing = missingPython()
  const named = paths.flatMap((path) =>
    KUBERNETES_RELEASES.map((release) => ({ path, release, name: `${path} for Kubernetes ${release}` })),
  )
  if (missing.length > 0)
    return named.map(({ name }) => ({ name, trouble: undefined, missing: missing.join(' and ') }))
  const program = join(pythonPackages('kubernetes-validate-1', [VALIDATOR]), 'kubernetes-validate')
  return named.map(({ name, path, release }) => {
    const trouble = failureOf([program, '--strict', '-k', release, path])
    return { name, trouble }
  })
}

export function checkCompose(path: string): FileOutcome {
  const compose = COMPOSE.find(([program, ...args]) => runs([program!, ...args, 'version']))
  if (compose === undefined)
    return {
      name: path,
      trouble: undefined,
      missing: 'docker compose (Debian has it: apt-get install docker-compose)',
    }
  return { name: path, trouble: failureOf([...compose, '-f', path, 'config', '--quiet']) }
}

function runs([program, ...args]: readonly string[]): boolean {
  return spawnSync(program!, args, { stdio: 'ignore' }).status === 0
}

/** Of a program: the text that it printed, where it has failed. */
function failureOf([program, ...args]: readonly string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(program!, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  return error === undefined ? `${stdout}${stderr}`.trim() : error.message
}
