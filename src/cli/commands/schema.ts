// `bellhop schema`: prints the JSON Schema of rule files, for editors and other programs.
import { Command } from 'commander'
import { beyondSchema, ruleFileSchema } from '../../rules/schema/rule-file.ts'

const help = `
Example:
  $ bellhop schema > bellhop.schema.json

An editor with a YAML language server then completes and underlines a rule file whose first lines say:
  # yaml-language-server: $schema=bellhop.schema.json

bellhop check finds more than a schema can tell:
${beyondSchema.map((each) => `  - ${each}`).join('\n')}`

/** Prints on standard output. */
export function schema(): Command {
  return new Command('schema')
    .description('print the JSON Schema of rule files, for editors')
    .addHelpText('after', help)
    .action(() => {
      // Whoever reads may have had enough: `bellhop schema | head`.
      process.stdout.on('error', ignoreClosedPipe)
      process.stdout.write(`${JSON.stringify(ruleFileSchema(), null, 2)}\n`)
    })
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
