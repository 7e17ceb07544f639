// The options of every command that asks a running bot.
import { type Command, Option } from 'commander'
import { withServiceName } from './services/service-options.ts'

export interface AdminFlags {
  url: string
  token: string
  service?: string
  format: 'text' | 'json'
}

/** Where the bot runs, its admin token, and how to print. */
export function withAdmin(command: Command): Command {
  return withServiceName(command)
    .addOption(new Option('--url <url>', 'where the bot runs').env('BELLHOP_ADMIN_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--token <token>', 'admin token; better in the environment').env('BELLHOP_ADMIN_TOKEN').default(''))
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
}
