import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseYesNo } from './door-options.ts'
import { labelSettings, parseControllers } from './label-options.ts'

/** By option, how its value is read from a config file. */
export const AUTHORIZATION_PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  authorization: parseYesNo,
  superuser: parseSuperusers,
  visibilityLabels: parseControllers,
}

export function authorizationOptions(): readonly Option[] {
  return [
    new Option(
      '--authorization [yes]',
      'users may do what they are granted, as with the AccessController of HBase',
    )
      .env('TIDEGATE_AUTHORIZATION')
      .preset('true')
      .argParser(parseYesNo)
      .default(false),
    new Option(
      '--visibility-labels [yes]',
      'cells may have labels, and are read by who may see these, as with the VisibilityController of HBase',
    )
      .env('TIDEGATE_VISIBILITY_LABELS')
      .preset('true')
      .argParser(parseYesNo)
      .default(false),
    new Option('--superuser <names>', 'users, and groups as @GROUP, who may do everything: NAME,@GROUP')
      .env('TIDEGATE_SUPERUSER')
      .argParser(parseSuperusers)
      .default([], 'nobody'),
    new Option('--groups <file>', 'groups of users, for permissions: a line GROUP:USER,USER each')
      .env('TIDEGATE_GROUPS')
      .argParser(checkPath),
  ]
}

function parseSuperusers(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '' && name !== '@')) return names
  throw new InvalidArgumentError('It must be names with commas between them: NAME,@GROUP.')
}

function checkPath(path: string): string {
  if (path !== '' && path.trim() === path && !path.includes('\0')) return path
  throw new InvalidArgumentError('A path is missing, or begins or ends with a space.')
}

/** Undefined: everybody may do everything. Throws UsageError for settings that do not fit each other. */
export function readAuthorization(
  command: Command,
  properties: ReadonlyMap<string, string> = new Map(),
): AuthorizationSettings | undefined {
  const superusers = command.getOptionValue('superuser') as readonly string[]
  const groups = command.getOptionValue('groups') as string | undefined
  const hasPermissions = command.getOptionValue('authorization') === true
  const labels = labelSettings(command.getOptionValue('visibilityLabels') === true, properties)
  if (!hasPermissions && labels === undefined) {
    const isStated = ['cli', 'env'].includes(command.getOptionValueSource('superuser') ?? '')
    if (isStated || groups !== undefined)
      throw new UsageError(
        '--superuser and --groups need --authorization or --visibility-labels: without them everybody may do everything',
      )
    return undefined
  }
  if (superusers.length === 0)
    throw new UsageError(
      hasPermissions
        ? '--authorization needs --superuser NAME: nobody else could grant the first permission'
        : '--visibility-labels needs --superuser NAME: nobody else could add the first label',
    )
  if (labels === undefined) return { superusers, groups }
  return { superusers, groups, labels, isOfLabelsAlone: !hasPermissions }
}
