// Installs the packages of package-lock.json into the folder it is run in.
import { spawnSync } from 'node:child_process';

const { status, stderr } = spawnSync('npm', ['ci', '--prefer-offline', '--loglevel=error'], { encoding: 'utf8' });
if (status !== 0) {
  const reason = /npm (?:error|ERR!) (?!code|syscall|errno)(.*)/.exec(stderr ?? '')?.[1] ?? 'npm ci failed';
  console.error(`viewer: the packages can't be had from the npm registry (${reason}); -DUZAWA_VIEWER=OFF builds without them`);
  process.exit(1);
}
