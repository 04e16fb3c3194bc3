// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The disk as untrusted sources see it: files beneath the folders of -I, and nothing else. */
#ifndef WEFT_FOLDERS_H
#define WEFT_FOLDERS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace weft {

/**
 * A file is here if its path begins with one of the folders, as they were given, and if the way on
 * does not leave that folder: by "..", or by a symbolic link that is absolute or climbs out. The
 * check and the opening are one walk, so that nobody can exchange a link in between. What is not
 * here is as if it did not exist. Regular files only; for one thread.
 */
class FolderFiles : public llvm::vfs::FileSystem {
  public:
    /** Relative folders are those of the current directory. */
    explicit FolderFiles(std::vector<std::string> folders) : folders(std::move(folders)) {}

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
    openFileForRead(const llvm::Twine &path) override;
    llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path, std::error_code &) override;
    llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;
    std::error_code setCurrentWorkingDirectory(const llvm::Twine &path) override;

    /** A file in one of the folders was asked for, whether there is one or not. */
    bool touched = false;

  private:
    int find(llvm::StringRef path, bool toRead);

    std::vector<std::string> folders;
};

} // namespace weft

#endif
