// The options of commands that call a running bot's admin API.
import { type Command, Option } from 'commander'
import { formatOption } from '../output/format-option.ts'

export interface AdminFlags {
  url: string
  token: string
  format: 'text' | 'json'
}

/** `formats`: further ones than text and JSON. */
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
