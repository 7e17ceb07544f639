// `bellhop openapi`: prints the contract as an OpenAPI document.
import { Command, Option } from 'commander'
import { stringify } from 'yaml'
import { openApiDocument } from '../../api/openapi.ts'

export function openapi(): Command {
  return new Command()
    .addOption(new Option('--format <format>', 'how to print').choices(['json', 'yaml']).default('json'))
    .addHelpText('after', '\nExample:\n  $ bellhop openapi > openapi.json')
    .action(({ format }: { format: 'json' | 'yaml' }) => {
      const document = openApiDocument()
      const text =
        format === 'yaml'
          ? stringify(document, { aliasDuplicateObjects: false })
          : `${JSON.stringify(document, null, 2)}\n`
      // As in `bellhop openapi | head`.
      process.stdout.on('error', ignoreClosedPipe)
      process.stdout.write(text)
    })
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
