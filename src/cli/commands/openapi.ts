// `bellhop openapi`: prints the contract as an OpenAPI document.
import { Command, Option } from 'commander'
import { stringify } from 'yaml'
import { openApiDocument } from '../../api/openapi.ts'
import { printJson } from '../output/terminal-text.ts'

export function openapi(): Command {
  return new Command()
    .addOption(new Option('--format <format>', 'how to print').choices(['json', 'yaml']).default('json'))
    .addHelpText('after', '\nExample:\n  $ bellhop openapi > openapi.json')
    .action(({ format }: { format: 'json' | 'yaml' }) => {
      if (format === 'json') printJson(openApiDocument())
      else process.stdout.write(stringify(openApiDocument(), { aliasDuplicateObjects: false }))
    })
}
