import { downloaded } from './fetch.js';

describe('the progress of the fetching', () => {
  it('counts files and bytes as Maven tells them', () => {
    const log = `[INFO] Downloading from central: https://somewhere/a.pom
[INFO] Downloaded from central: https://somewhere/a.pom (1.5 kB at 20 kB/s)
[INFO] Downloaded from central: https://somewhere/b.zip (180 MB at 40 MB/s)
Downloaded from central: https://somewhere/c.jar (812 B at 3.1 kB/s)
[INFO] BUILD SUCCESS`;
    expect(downloaded(log)).toEqual({ files: 3, bytes: 180_002_312 });
  });

  it('is nothing while Maven has said nothing', () => {
    expect(downloaded('')).toEqual({ files: 0, bytes: 0 });
  });
});
