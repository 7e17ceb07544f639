// Commands made from operations of the admin API: path parameters become arguments, the others options.
import { Argument, Command, Option } from 'commander'
import { type Parameter, parametersOf } from '../../admin/api/openapi.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import { routeNamed } from '../../admin/api/routes/index.ts'
import { formatOption, printAs } from '../output/terminal-text.ts'
import { argument, positive, unitMs } from '../settings/setting.ts'
import { createAdminClient } from './admin-client.ts'

/** The options that every such command has. */
export interface AdminFlags {
  url: string
  token: string
  format: 'text' | 'json'
}

export interface RouteCommand<G> {
  name: string
  /** In place of the operation's doc. */
  about?: string
  /** Arguments besides those in the path, or optional ones, as Commander writes them: `{ id: '[id]' }`. */
  args?: Record<string, string>
  /** Formats besides text and JSON. */
  formats?: readonly string[]
  /** `given` has the parameters by their names. */
  perform: (call: RunOperation, given: AdminFlags & G) => Promise<void>
}

/** No options: commands read whole lists, `#` in a name tells an issue, and a dry run has options of its own. */
const notOptions = new Set(['after', 'from', 'limit', 'subject', 'dry_run', 'count'])

export function routeCommand<G = object>(
  operation: string,
  { name, about, args = {}, formats = [], perform }: RouteCommand<G>,
): Command {
  const route = routeNamed(operation)
  const command = new Command(name).description(about ?? route.doc)
  const parameters = new Map(parametersOf(route).map((each) => [each.name, each]))
  const inPath = [...parameters.values()].flatMap((each) => (each.in === 'path' ? [each.name] : []))
  const positional = [...new Set([...inPath, ...Object.keys(args)])]
  for (const each of positional) {
    const { description, schema } = parameters.get(each) ?? {}
    const added = new Argument(args[each] ?? `<${each}>`, inTerminal(description))
    command.addArgument(schema?.enum === undefined ? added : added.choices(schema.enum))
  }
  for (const each of parameters.values())
    if (!positional.includes(each.name) && !notOptions.has(each.name)) command.addOption(optionOf(each))
  return withAdmin(command, formats).action(() => {
    const given = command.opts<AdminFlags & G>()
    const named = Object.fromEntries(positional.map((each, at) => [each, command.processedArgs[at]]))
    return perform(createAdminClient(given), { ...given, ...named })
  })
}

/** A command that runs its operation, and prints the response. */
export function printCommand<T, G = object>(
  operation: string,
  { lines, ...declared }: Omit<RouteCommand<G>, 'perform'> & { lines: (response: T, given: G) => readonly string[] },
): Command {
  return routeCommand<G>(operation, {
    ...declared,
    async perform(call, given) {
      const response = await call<T>(operation, given)
      printAs(given.format, response, () => lines(response, given))
    },
  })
}

function optionOf({ name, description, schema }: Parameter): Option {
  const isTime = schema.format === 'date-time'
  const times = isTime ? ' Such as 2026-11-21T10:00Z, or 90m, 2h or 7d ago.' : ''
  const option = new Option(`--${name} <${name}>`, `${inTerminal(description)}${times}`)
  if (schema.enum !== undefined) option.choices(schema.enum)
  if (schema.default !== undefined) option.default(schema.default)
  return isTime ? option.argParser(argument(time)) : option
}

const inTerminal = (markdown = '') => markdown.replaceAll('`', '')

export function withAdmin(command: Command, formats: readonly string[] = []): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the running bot').env('BELLHOP_ADMIN_URL').default('http://127.0.0.1:8080'),
    )
    .addOption(
      new Option('--token <token>', 'admin token; prefer the environment').env('BELLHOP_ADMIN_TOKEN').default(''),
    )
    .addOption(formatOption(...formats))
}

export const limitOption = () =>
  new Option('--limit <number>', 'at most this many').argParser(argument(positive)).default(20)

function time(text: string): string {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = number === undefined ? Date.parse(text) : Date.now() - Number(number) * (unitMs[unit] ?? 0)
  if (Number.isNaN(ms)) throw new Error('a time such as 2026-11-21T10:00Z, or 2h')
  return new Date(ms).toISOString()
}
